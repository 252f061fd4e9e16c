//! The network address of a client, for rate limits: the peer, or the address that trusted proxies report.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};

use crate::net::network::Network;

/// The client's network address, as far as it can be trusted.
pub fn origin(extensions: &Extensions, headers: &HeaderMap, trusted: &[Network]) -> String {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    let Some(ConnectInfo(peer)) = peer else {
        return "unknown".to_owned();
    };
    client_address(peer.ip(), headers, trusted).to_string()
}

/// Whether the client is on this machine and no proxy forwarded its request: a proxy on this machine may forward for
/// anybody, and what it forwards may name any address.
pub fn is_local(extensions: &Extensions, headers: &HeaderMap) -> bool {
    let is_forwarded = headers.keys().any(|name| {
        let name = name.as_str();
        matches!(name, "forwarded" | "via" | "x-real-ip") || name.starts_with("x-forwarded-")
    });
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    peer.is_some_and(|ConnectInfo(peer)| peer.ip().to_canonical().is_loopback()) && !is_forwarded
}

/// Each proxy appends the address of its caller, so the list is read from its end for as long as a trusted proxy wrote
/// the entry. Entries before the first untrusted address could be forged.
pub fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let lines = headers.get_all("x-forwarded-for").into_iter();
    let lines: Vec<&str> = lines.filter_map(|line| line.to_str().ok()).collect();
    let mut reported = lines.iter().rev().flat_map(|line| line.rsplit(','));
    let mut caller = peer.to_canonical();
    while trusted.iter().any(|network| network.contains(caller)) {
        let Some(before) = reported
            .next()
            .and_then(|address| address.trim().parse::<IpAddr>().ok())
        else {
            break;
        };
        caller = before.to_canonical();
    }
    caller
}

/// The addresses that are one client's: an IPv4 address, or the /64 that the holder of an IPv6 address usually has.
pub fn subnet(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.into(),
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX)).into(),
    }
}
