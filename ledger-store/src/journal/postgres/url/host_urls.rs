//! A URL of several hosts as one for each, which is all that the driver reads.

use std::borrow::Cow;

use super::malformed::UrlMalformed;

/// A parameter of a URL: its name and value.
pub(super) type Parameter<'a> = (Cow<'a, str>, Cow<'a, str>);

/// The URLs of each host that `place`, which is what stands before the question mark, and
/// `parameters` name.
pub(super) fn urls_by_host(
    place: &str,
    parameters: &[Parameter<'_>],
) -> Result<Vec<String>, UrlMalformed> {
    let (authority, path) = place.split_once('/').unwrap_or((place, ""));
    let (user, hosts) = match authority.rfind('@') {
        Some(at) => authority.split_at(at + 1),
        None => ("", authority),
    };
    let listed = |name: &str| {
        let found = parameters.iter().rev().find(|(it, _)| it == name);
        found.map_or(Vec::new(), |(_, value)| value.split(',').collect())
    };
    let before: Vec<&str> = hosts.split(',').collect();
    let (among, ports) = (listed("host"), listed("port"));
    if before.len() > 1 && !among.is_empty() {
        return Err(UrlMalformed::HostsTwice);
    }
    let count = before.len().max(among.len());
    if ports.len() > 1 && ports.len() != count {
        return Err(UrlMalformed::Ports { hosts: count, ports: ports.len() });
    }
    if count > 1 && [&before, &among].iter().any(|hosts| hosts.len() > 1 && hosts.contains(&"")) {
        return Err(UrlMalformed::Syntax("one of its hosts is empty".into()));
    }
    let of_each = |number: usize| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in parameters {
            let value = match &**name {
                "host" => nth(&among, number),
                "port" => nth(&ports, number),
                _ => value,
            };
            query.append_pair(name, value);
        }
        let host = match nth(&before, number) {
            // The usual way to name a user of a socket's server leaves the host empty, which a
            // strict reader of URLs does not accept; the parameter `host` then says where it is.
            "" if !user.is_empty() => "localhost",
            host => host,
        };
        format!("postgres://{user}{host}/{path}?{}", query.finish())
    };
    Ok((0..count).map(of_each).collect())
}

/// The item of this number, or the only one.
fn nth<'a>(items: &[&'a str], number: usize) -> &'a str {
    items.get(number).or(items.first()).copied().unwrap_or_default()
}
