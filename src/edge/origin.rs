//! Where a request came from, for throttles: the peer, or what trusted proxies say of it.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};

use crate::net::network::Network;

/// The caller's network address as far as it can be believed.
pub fn origin(extensions: &Extensions, headers: &HeaderMap, trusted: &[Network]) -> String {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    let Some(ConnectInfo(peer)) = peer else {
        return "unknown".to_owned();
    };
    behind(peer.ip(), headers, trusted).to_string()
}

/// Each proxy appends whom it was called by. Read from the end as long as a trusted one wrote it:
/// what stands before the first stranger is that stranger's claim.
pub fn behind(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let lines = headers.get_all("x-forwarded-for").into_iter();
    let lines: Vec<&str> = lines.filter_map(|line| line.to_str().ok()).collect();
    let mut said = lines.iter().rev().flat_map(|line| line.rsplit(','));
    let mut caller = peer.to_canonical();
    while trusted.iter().any(|network| network.contains(caller)) {
        let Some(before) = said
            .next()
            .and_then(|address| address.trim().parse::<IpAddr>().ok())
        else {
            break;
        };
        caller = before.to_canonical();
    }
    caller
}
