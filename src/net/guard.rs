//! Decides which addresses may be called. Private, loopback, link-local and metadata addresses are refused;
//! the settings can allow loopback. Checks the addresses after name resolution, so a host name cannot hide one.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// The address rule, as configured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guard {
    /// Allows 127.0.0.0/8 and ::1. For tests and local models only.
    pub allow_loopback: bool,
}

impl Guard {
    pub fn allows(self, address: IpAddr) -> bool {
        match address {
            IpAddr::V4(v4) => self.allows_v4(v4),
            IpAddr::V6(v6) => match embedded(v6) {
                Some(v4) => self.allows_v4(v4),
                None => self.allows_v6(v6),
            },
        }
    }

    fn allows_v4(self, v4: Ipv4Addr) -> bool {
        if v4.is_loopback() {
            return self.allow_loopback;
        }
        let [a, b, c, _] = v4.octets();
        let reserved = v4.is_private()
            || v4.is_link_local()
            || v4.is_unspecified()
            || v4.is_broadcast()
            || v4.is_multicast()
            || v4.is_documentation()
            || a == 0
            || a >= 240
            // Carrier-grade NAT, protocol assignments, benchmarking, 6to4 relays.
            || (a == 100 && (64..128).contains(&b))
            || (a == 192 && b == 0 && c == 0)
            || (a == 198 && (b == 18 || b == 19))
            || (a == 192 && b == 88 && c == 99);
        !reserved
    }

    fn allows_v6(self, v6: Ipv6Addr) -> bool {
        if v6.is_loopback() {
            return self.allow_loopback;
        }
        // Only global unicast (2000::/3), except documentation, Teredo and ORCHID.
        let [first, second, ..] = v6.segments();
        let global = (first & 0xe000) == 0x2000;
        global && !(first == 0x2001 && (second == 0x0db8 || second < 0x0200)) && first != 0x3fff
    }
}

/// The IPv4 address embedded in an IPv6 address (mapped, compatible, NAT64 or 6to4), if any.
fn embedded(v6: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, g, h] = v6.segments();
    let v4 = |high: u16, low: u16| {
        let ([w, x], [y, z]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(w, x, y, z)
    };
    match (a, b, c, d, e, f) {
        (0, 0, 0, 0, 0, 0xffff) => Some(v4(g, h)),
        (0, 0, 0, 0, 0, 0) if g != 0 || h > 1 => Some(v4(g, h)),
        (0x64, 0xff9b, ..) => Some(v4(g, h)),
        (0x2002, ..) => Some(v4(b, c)),
        _ => None,
    }
}

/// Resolves host names and drops all addresses that the guard refuses.
pub(super) struct GuardedResolver(pub(super) Guard);

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| guard.allows(address.ip())).collect();
            if allowed.is_empty() {
                return Err("calls to the addresses of this host are not allowed".into());
            }
            let addresses: Addrs = Box::new(allowed.into_iter());
            Ok(addresses)
        })
    }
}
