//! Addresses of networks that could lead to a person: global ones, of both versions.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::class::IP_ADDRESS;
use crate::rule::Rule;
use crate::span::Span;

const VERSION_4: &str = "ip-address-version-4";
const VERSION_6: &str = "ip-address-version-6";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: VERSION_4,
        class: IP_ADDRESS,
        source: "RFC 791, section 3.1; RFC 6890 for special addresses",
    },
    Rule {
        id: VERSION_6,
        class: IP_ADDRESS,
        source: "RFC 4291, section 2.2; RFC 6890 for special addresses",
    },
];

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let of_address = |b: u8| b.is_ascii_hexdigit() || matches!(b, b'.' | b':');
    let mut at = 0;
    while at < bytes.len() {
        if !of_address(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        at = crate::scan::bytes::run_end(bytes, start, usize::MAX, of_address);
        let glued = |b: Option<&u8>| {
            b.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        };
        let before = start.checked_sub(1).and_then(|at| bytes.get(at));
        if !glued(before) && !glued(bytes.get(at)) {
            address(text, start, at, spans);
        }
    }
}

/// Reads an address, with a port or the end of a sentence after it or not.
fn address(text: &str, start: usize, end: usize, spans: &mut Vec<Span>) {
    let run = text[start..end].trim_end_matches(['.', ':']);
    let host = run.split(':').next().unwrap_or(run);
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        if is_global_4(address) {
            spans.push(super::span(
                start..start + host.len(),
                IP_ADDRESS,
                VERSION_4,
            ));
        }
    } else if run.len() <= 45
        && run.matches(':').count() >= 2
        && let Ok(address) = run.parse::<Ipv6Addr>()
        && is_global_6(address)
    {
        spans.push(super::span(start..start + run.len(), IP_ADDRESS, VERSION_6));
    }
}

fn is_global_4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let shared = first == 100 && (64..128).contains(&second);
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || first == 0
        || first >= 240
        || shared)
}

fn is_global_6(address: Ipv6Addr) -> bool {
    // Global unicast is 2000::/3.
    address.segments()[0] & 0xe000 == 0x2000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    #[test]
    fn addresses_and_what_resembles_them() {
        for (text, address) in [
            ("from 203.0.113.7:443 to us", "203.0.113.7"),
            ("client 198.51.100.23.", "198.51.100.23"),
            ("[2001:db8::8a2e:370:7334]:80", "2001:db8::8a2e:370:7334"),
        ] {
            assert_eq!(masked_by(find, text), [address], "{text}");
        }
        for text in [
            "127.0.0.1",
            "10.0.0.8",
            "192.168.1.1",
            "1.2.3",
            "v1.2.3.4",
            "::1",
            "fe80::1",
            "12:30:45",
            "std::fs",
            "300.1.1.1",
        ] {
            assert_eq!(masked_by(find, text), Vec::<&str>::new(), "{text}");
        }
    }
}
