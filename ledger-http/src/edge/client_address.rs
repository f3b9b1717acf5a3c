//! The address that a request comes from: the connection's, or what a trusted proxy says.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};

/// Addresses that begin with the same bits, such as `10.0.0.0/8`; a single one has no slash.
///
/// ```
/// use ledger_http::Network;
///
/// let inside: Network = "10.0.0.0/8".parse()?;
/// assert!(inside.contains("10.1.2.3".parse()?));
/// assert!(!inside.contains("11.1.2.3".parse()?));
/// assert!("10.0.0.0/33".parse::<Network>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    bits: u8,
}

/// The text names no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a network is an address, or an address and a number of bits: 10.0.0.0/8")]
pub struct NoNetwork;

impl Network {
    /// Tells whether the address is one of it. An IPv4 address within IPv6 is what it is outside.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.first, address.to_canonical()) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                let differs = u32::from(first) ^ u32::from(address);
                differs.checked_shr(32 - u32::from(self.bits)).unwrap_or(0) == 0
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                let differs = u128::from(first) ^ u128::from(address);
                differs.checked_shr(128 - u32::from(self.bits)).unwrap_or(0) == 0
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let (first, bits) = match text.split_once('/') {
            Some((first, bits)) => (first, Some(bits)),
            None => (text, None),
        };
        let first: IpAddr = first.parse().map_err(|_| NoNetwork)?;
        let most = if first.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| NoNetwork))?;
        if bits <= most { Ok(Self { first, bits }) } else { Err(NoNetwork) }
    }
}

/// The address that a request comes from, where the server gives that of its connection.
pub(crate) fn client_address(
    extensions: &Extensions,
    headers: &HeaderMap,
    trusted: &[Network],
) -> Option<IpAddr> {
    let ConnectInfo(peer) = extensions.get::<ConnectInfo<SocketAddr>>()?;
    Some(address_behind(peer.ip(), headers, trusted))
}

/// The address that a request of this peer comes from. Behind trusted proxies it is the last one of
/// `X-Forwarded-For` that is none of theirs: whoever stands before them may write what it likes
/// further left.
fn address_behind(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut client = peer.to_canonical();
    if !is_trusted(client) {
        return client;
    }
    let lists: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .map(|value| value.to_str().unwrap_or_default())
        .collect();
    let named = lists.iter().rev().flat_map(|list| list.rsplit(','));
    for text in named {
        // What cannot be read ends what can be believed.
        let Some(address) = read(text.trim()) else { break };
        client = address;
        if !is_trusted(client) {
            break;
        }
    }
    client
}

/// An address as proxies write it: with a port or brackets, too.
fn read(text: &str) -> Option<IpAddr> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Some(address.to_canonical());
    }
    if let Ok(address) = text.parse::<std::net::SocketAddr>() {
        return Some(address.ip().to_canonical());
    }
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    inner.parse::<Ipv6Addr>().ok().map(|address| IpAddr::V6(address).to_canonical())
}

/// Tells whether a host's name is this machine's own, `localhost` or an address of the loopback.
pub(crate) fn is_this_machine(host: &str) -> bool {
    let is_loopback = host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    is_loopback || host.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address_for(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        let peer = peer.parse().unwrap();
        address_behind(peer, &headers, &trusted).to_string()
    }

    #[test]
    fn a_client_that_is_no_proxy_is_not_believed() {
        assert_eq!(address_for("203.0.113.9", &["198.51.100.1"], &[]), "203.0.113.9");
        assert_eq!(address_for("203.0.113.9", &["198.51.100.1"], &["10.0.0.0/8"]), "203.0.113.9");
    }

    #[test]
    fn the_last_address_that_is_no_proxy_is_the_clients() {
        let proxies = ["10.0.0.0/8", "2001:db8::/32"];
        assert_eq!(address_for("10.0.0.1", &["198.51.100.1"], &proxies), "198.51.100.1");
        // What stands left of it was written by the client.
        assert_eq!(
            address_for("10.0.0.1", &["1.1.1.1, 198.51.100.1, 10.0.0.2"], &proxies),
            "198.51.100.1"
        );
        assert_eq!(
            address_for("10.0.0.1", &["1.1.1.1", "198.51.100.1:4711"], &proxies),
            "198.51.100.1"
        );
        assert_eq!(address_for("::ffff:10.0.0.1", &["[2001:db9::1]"], &proxies), "2001:db9::1");
        assert_eq!(address_for("10.0.0.1", &["nonsense"], &proxies), "10.0.0.1");
        assert_eq!(address_for("10.0.0.1", &["nonsense, 10.0.0.2"], &proxies), "10.0.0.2");
        assert_eq!(address_for("10.0.0.1", &[], &proxies), "10.0.0.1");
    }

    #[test]
    fn a_network_is_all_addresses_that_begin_alike() {
        let all: Network = "0.0.0.0/0".parse().unwrap();
        assert!(all.contains("203.0.113.9".parse().unwrap()));
        assert!(!all.contains("2001:db8::1".parse().unwrap()));
        let one: Network = "203.0.113.9".parse().unwrap();
        assert!(one.contains("203.0.113.9".parse().unwrap()));
        assert!(!one.contains("203.0.113.8".parse().unwrap()));
        assert!("203.0.113/24".parse::<Network>().is_err());
    }
}
