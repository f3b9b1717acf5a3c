//! Where webhooks may go: to the internet, and never to what only this machine reaches.
//!
//! An address is checked where it is connected to: in the URL where that has one, and by the
//! resolver of the very connection otherwise, so that a name cannot mean another address between
//! the check and the connection.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::LazyLock;

use reqwest::Url;
use thiserror::Error;
use url::Host;

use crate::edge::client_address::Network;

/// Which URLs and addresses webhooks go to.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    schemes: &'static [&'static str],
    reachable: fn(IpAddr) -> bool,
}

/// Why nothing is sent to a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Forbidden {
    /// It is no URL, or names no host.
    #[error("a URL has a scheme and a host, such as https://example.com or http://127.0.0.1:9000")]
    NoUrl,
    /// It is not https.
    #[error("webhooks go to https alone")]
    Scheme,
    /// It carries a user or a password.
    #[error("a URL with a user or a password is not sent to")]
    Credentials,
    /// Its address is none of the internet.
    #[error("the address is none of the internet")]
    Address,
}

impl Guard {
    /// Webhooks go to global addresses by https, and nowhere else.
    #[must_use]
    pub const fn internet() -> Self {
        Self { schemes: &["https"], reachable: is_global }
    }

    /// For development: webhooks go to this machine alone, by http too, and never to the internet.
    #[must_use]
    pub const fn this_machine() -> Self {
        Self { schemes: &["http", "https"], reachable: is_loopback }
    }

    /// For a program that forwards to where its own user says.
    #[must_use]
    pub const fn anywhere() -> Self {
        Self { schemes: &["http", "https"], reachable: |_| true }
    }

    /// Webhooks go to what a test says is reachable.
    #[cfg(test)]
    pub(super) const fn with_reachable(reachable: fn(IpAddr) -> bool) -> Self {
        Self { schemes: &["http", "https"], reachable }
    }

    /// The URL, if webhooks go there as far as it says itself.
    ///
    /// ```
    /// use ledger_http::courier::guard::{Forbidden, Guard};
    ///
    /// let guard = Guard::internet();
    /// assert!(guard.check("https://loja.example/pix").is_ok());
    /// assert_eq!(guard.check("https://0x7f.1/pix"), Err(Forbidden::Address)); // 127.0.0.1
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden`], why not.
    pub fn check(&self, url: &str) -> Result<Url, Forbidden> {
        let url = Url::parse(url).map_err(|_| Forbidden::NoUrl)?;
        if !self.schemes.contains(&url.scheme()) {
            // `localhost:9000` reads as a URL, of the scheme localhost.
            let takes_http = self.schemes.contains(&"http");
            return Err(if takes_http { Forbidden::NoUrl } else { Forbidden::Scheme });
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Forbidden::Credentials);
        }
        let address = match url.host().ok_or(Forbidden::NoUrl)? {
            Host::Ipv4(address) => IpAddr::V4(address),
            Host::Ipv6(address) => IpAddr::V6(address),
            // What the name stands for is checked when it is resolved.
            Host::Domain(_) => return Ok(url),
        };
        if self.admits(address) { Ok(url) } else { Err(Forbidden::Address) }
    }

    /// Tells whether webhooks go to this address.
    #[must_use]
    pub fn admits(&self, address: IpAddr) -> bool {
        (self.reachable)(address)
    }
}

/// Networks of IPv4 that are not of the whole internet: the registry of special purposes, with
/// multicast, what is reserved, and the relays of 6to4.
static SPECIAL_V4: LazyLock<Vec<Network>> = LazyLock::new(|| {
    networks(&[
        "0.0.0.0/8",       // this network
        "10.0.0.0/8",      // private
        "100.64.0.0/10",   // shared by a carrier's customers
        "127.0.0.0/8",     // loopback
        "169.254.0.0/16",  // link-local; clouds keep their metadata there
        "172.16.0.0/12",   // private
        "192.0.0.0/24",    // protocol assignments
        "192.0.2.0/24",    // documentation
        "192.88.99.0/24",  // relays of 6to4
        "192.168.0.0/16",  // private
        "198.18.0.0/15",   // measurements
        "198.51.100.0/24", // documentation
        "203.0.113.0/24",  // documentation
        "224.0.0.0/4",     // multicast
        "240.0.0.0/4",     // reserved, and broadcast
    ])
});

/// The part of IPv6 that is given out for the whole internet. All else is left out by it: loopback,
/// link-local and unique local addresses, multicast, and IPv4 that is mapped or translated (NAT64).
static GLOBAL_V6: LazyLock<Vec<Network>> = LazyLock::new(|| networks(&["2000::/3"]));

/// What is not of the whole internet within that.
static SPECIAL_V6: LazyLock<Vec<Network>> = LazyLock::new(|| {
    networks(&[
        "2001::/23",     // protocol assignments, Teredo among them
        "2001:db8::/32", // documentation
        "2002::/16",     // 6to4, which hides an address of IPv4
        "3fff::/20",     // documentation
    ])
});

fn networks(texts: &[&str]) -> Vec<Network> {
    let network = |text: &&str| text.parse().expect("the tables above are networks");
    texts.iter().map(network).collect()
}

/// Tells whether an address is one of the whole internet.
///
/// ```
/// use ledger_http::courier::guard::is_global;
///
/// assert!(is_global("8.8.8.8".parse()?));
/// assert!(!is_global("169.254.169.254".parse()?)); // The metadata of a cloud.
/// assert!(!is_global("::ffff:127.0.0.1".parse()?)); // Loopback, mapped.
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[must_use]
pub fn is_global(address: IpAddr) -> bool {
    let within = |networks: &[Network]| networks.iter().any(|network| network.contains(address));
    match address {
        IpAddr::V4(_) => !within(&SPECIAL_V4),
        // Of a mapped address nobody asks what it would be unmapped: names are not resolved to one.
        IpAddr::V6(inner) if is_mapped(inner) => false,
        IpAddr::V6(_) => within(&GLOBAL_V6) && !within(&SPECIAL_V6),
    }
}

fn is_mapped(address: Ipv6Addr) -> bool {
    address.to_ipv4_mapped().is_some()
}

fn is_loopback(address: IpAddr) -> bool {
    address.is_loopback()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_not_global_is_forbidden_in_whatever_way_it_is_written() {
        for host in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            // The same ones otherwise written.
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "127.1",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:8.8.8.8]",
            "[::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[64:ff9b:1::1]",
            "[100::1]",
            "[2001::1]",
            "[2001:2::1]",
            "[2001:db8::1]",
            "[2002:7f00:1::]",
            "[3fff::1]",
            "[5f00::1]",
            "[fc00::1]",
            "[fd12:3456::1]",
            "[fe80::1]",
            "[fec0::1]",
            "[ff02::1]",
        ] {
            let checked = Guard::internet().check(&format!("https://{host}:8443/x"));
            assert_eq!(checked, Err(Forbidden::Address), "{host}");
        }
    }

    #[test]
    fn an_address_of_the_internet_is_admitted_at_the_edges_of_what_is_not() {
        for host in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "[2001:4860:4860::8888]",
            "[2001:200::1]",
            "[2606:4700::1111]",
            "[2a00::1]",
        ] {
            assert!(Guard::internet().check(&format!("https://{host}/x")).is_ok(), "{host}");
        }
    }

    #[test]
    fn a_url_is_https_without_a_user() {
        let checked = |url: &str| Guard::internet().check(url).map(|_| ());
        assert_eq!(checked("https://loja.example:8443/x?y=1"), Ok(()));
        assert_eq!(checked("http://loja.example/x"), Err(Forbidden::Scheme));
        assert_eq!(checked("file:///etc/passwd"), Err(Forbidden::Scheme));
        assert_eq!(checked("https://a:b@loja.example"), Err(Forbidden::Credentials));
        assert_eq!(checked("nowhere"), Err(Forbidden::NoUrl));
        assert_eq!(checked("https://"), Err(Forbidden::NoUrl));
    }

    #[test]
    fn development_reaches_this_machine_and_nothing_else() {
        let checked = |url: &str| Guard::this_machine().check(url).map(|_| ());
        assert_eq!(checked("http://127.0.0.1:9000/x"), Ok(()));
        assert_eq!(checked("http://[::1]:9000/x"), Ok(()));
        assert_eq!(checked("https://8.8.8.8/x"), Err(Forbidden::Address));
        assert_eq!(checked("http://10.0.0.1/x"), Err(Forbidden::Address));
        // Its scheme would be localhost.
        assert_eq!(checked("localhost:9000"), Err(Forbidden::NoUrl));
    }
}
