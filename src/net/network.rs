//! Networks as an operator writes them: an address, or an address and a length.

use std::net::IpAddr;
use std::str::FromStr;

/// All addresses that share their first bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// The bits, left-aligned; what is behind `length` is zero.
    bits: u128,
    length: u32,
    is_v4: bool,
}

/// Not an address, or a length that the address does not have.
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
        let most = if address.is_ipv4() { 32 } else { 128 };
        let length: u32 = match length {
            Some(length) => length.parse().map_err(|_| NotANetwork)?,
            None => most,
        };
        if length > most {
            return Err(NotANetwork);
        }
        let (bits, is_v4) = left_aligned(address);
        // An IPv4 network in its IPv6 form is as long as its end in it.
        let length = if is_v4 && most == 128 {
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

/// An IPv4 address is the same in its IPv6 form, as a socket for both gives it.
fn left_aligned(address: IpAddr) -> (u128, bool) {
    match address.to_canonical() {
        IpAddr::V4(v4) => (u128::from(v4.to_bits()) << 96, true),
        IpAddr::V6(v6) => (v6.to_bits(), false),
    }
}

fn mask(length: u32) -> u128 {
    u128::MAX.checked_shl(128 - length).unwrap_or_default()
}
