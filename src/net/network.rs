//! IP networks in CIDR notation, as operators write them in settings. A plain address is a network of one.

use std::net::IpAddr;
use std::str::FromStr;

/// A set of addresses with a common prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// The prefix, left-aligned; bits after `length` are zero.
    bits: u128,
    length: u32,
    is_v4: bool,
}

/// The text is not an address, or the prefix length is too large for it.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("not an address or a network such as 10.0.0.0/8")]
pub struct NotANetwork;

impl Network {
    pub fn contains(&self, address: IpAddr) -> bool {
        let (bits, is_v4) = left_aligned(address);
        is_v4 == self.is_v4 && bits & mask(self.length) == self.bits
    }
}

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let (address, length) = match text.trim().split_once('/') {
            Some((address, length)) => (address, Some(length)),
            None => (text.trim(), None),
        };
        let address: IpAddr = address.parse().map_err(|_| NotANetwork)?;
        let max = if address.is_ipv4() { 32 } else { 128 };
        let length: u32 = match length {
            Some(length) => length.parse().map_err(|_| NotANetwork)?,
            None => max,
        };
        if length > max {
            return Err(NotANetwork);
        }
        let (bits, is_v4) = left_aligned(address);
        // An IPv4-mapped network, such as ::ffff:10.0.0.0/104: subtract the 96 bits of the mapping.
        let length = if is_v4 && max == 128 {
            length.checked_sub(96).ok_or(NotANetwork)?
        } else {
            length
        };
        Ok(Self {
            bits: bits & mask(length),
            length,
            is_v4,
        })
    }
}

/// IPv4-mapped IPv6 addresses, as dual-stack sockets report them, count as IPv4.
fn left_aligned(address: IpAddr) -> (u128, bool) {
    match address.to_canonical() {
        IpAddr::V4(v4) => (u128::from(v4.to_bits()) << 96, true),
        IpAddr::V6(v6) => (v6.to_bits(), false),
    }
}

fn mask(length: u32) -> u128 {
    u128::MAX.checked_shl(128 - length).unwrap_or_default()
}
