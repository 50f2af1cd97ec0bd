//! Keys of an arrangement: how many replicas a commit waits for, the network between the servers, who takes writes.

use model::{Arrangement, LinkCut, Via};

use crate::kind::{bytes, switch};
use crate::values::Wrong;

/// Every key, as written.
pub const ARRANGEMENT_KEYS: [&str; 11] = [
    "acks",
    "link_delay",
    "link_jitter",
    "link_bandwidth",
    "link_loss",
    "multi_primary",
    "reads",
    "client_delay",
    "client_jitter",
    "via",
    "link_cut",
];

/// Sets one. False if there is no such key.
///
/// # Errors
/// The value is none of it.
pub(crate) fn set(arrangement: &mut Arrangement, key: &str, value: &str) -> Result<bool, Wrong> {
    let value = value.trim();
    match key {
        "acks" => arrangement.acks = Some(count(key, value)? as u32),
        "link_delay" => arrangement.link_delay_us = Some(microseconds(key, value)?),
        "link_jitter" => arrangement.link_jitter_us = Some(microseconds(key, value)?),
        "client_delay" => arrangement.client_delay_us = Some(microseconds(key, value)?),
        "client_jitter" => arrangement.client_jitter_us = Some(microseconds(key, value)?),
        "link_bandwidth" => arrangement.link_bandwidth_bytes_per_s = Some(bytes_per_s(value)?),
        "link_cut" => arrangement.link_cut = Some(cut(value)?),
        "link_loss" => arrangement.link_loss_ppm = Some(parts_per_million(value)?),
        "multi_primary" => {
            let why = |why| Wrong::of(format!("multi_primary, '{value}': {why}"));
            arrangement.multi_primary = switch(value).map_err(why)?;
        }
        "reads" => {
            arrangement.reads_on_replicas = match value {
                "replicas" => true,
                "primary" => false,
                _ => {
                    return Err(Wrong::of(format!("reads is primary or replicas, and not '{value}'"))
                        .hint("replicas: transactions that only read go to the replicas"));
                }
            }
        }
        "via" => arrangement.via = via(value)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The settings as written.
pub(crate) fn words(arrangement: &Arrangement) -> Vec<(&'static str, String)> {
    let percent = |ppm: u32| format!("{}%", f64::from(ppm) / 1e4);
    let all = [
        ("acks", arrangement.acks.map(|acks| acks.to_string())),
        ("link_delay", arrangement.link_delay_us.map(time)),
        ("link_jitter", arrangement.link_jitter_us.map(time)),
        ("client_delay", arrangement.client_delay_us.map(time)),
        ("client_jitter", arrangement.client_jitter_us.map(time)),
        ("link_bandwidth", arrangement.link_bandwidth_bytes_per_s.map(|bytes| bytes.to_string())),
        ("link_loss", arrangement.link_loss_ppm.map(percent)),
        ("link_cut", arrangement.link_cut.map(cut_words)),
        ("multi_primary", arrangement.multi_primary.then(|| "on".to_owned())),
        ("reads", arrangement.reads_on_replicas.then(|| "replicas".to_owned())),
        ("via", (arrangement.via != Via::Direct).then(|| arrangement.via.name().to_owned())),
    ];
    all.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

/// A number of servers.
pub(crate) fn count(key: &str, value: &str) -> Result<usize, Wrong> {
    value.trim().parse().map_err(|_| Wrong::of(format!("{key} is a number of servers, and not '{value}'")))
}

/// A time such as `1ms`, `250us`, `0.5ms` or `0`.
fn microseconds(key: &str, value: &str) -> Result<u64, Wrong> {
    let units = [("us", 1.0), ("ms", 1e3), ("s", 1e6)];
    let (number, us) = units
        .iter()
        .find_map(|(unit, us)| Some((value.strip_suffix(unit)?.trim(), *us)))
        .unwrap_or((value, if value == "0" { 1.0 } else { f64::NAN }));
    let time_us = number.parse::<f64>().unwrap_or(f64::NAN) * us;
    if (0.0..=60e6).contains(&time_us) {
        return Ok(time_us.round() as u64);
    }
    Err(Wrong::of(format!("{key} is a time, and not '{value}'"))
        .hint("with its unit, at most 60s: 250us, 0.5ms, 10ms"))
}

fn time(us: u64) -> String {
    if us.is_multiple_of(1000) { format!("{}ms", us / 1000) } else { format!("{us}us") }
}

/// Such as `10s+5s`: from 10 s on for 5 s; `2@10s+5s` is about the second server.
fn cut(value: &str) -> Result<LinkCut, Wrong> {
    let wrong = || {
        Wrong::of(format!("link_cut is when a server is cut off from the others, and not '{value}'"))
            .hint("10s+5s cuts the primary off from the tenth second of the load on, for 5 s; 2@10s+5s the second server")
    };
    let (server, times) = match value.split_once('@') {
        Some((server, times)) => (server.trim().parse().ok().filter(|server| *server > 0), times),
        None => (Some(1), value),
    };
    let (from, length) = times.split_once('+').ok_or_else(wrong)?;
    let ms = |text: &str| microseconds("link_cut", text.trim()).map(|us| us / 1000).map_err(|_| wrong());
    let cut = LinkCut { server: server.ok_or_else(wrong)?, from_ms: ms(from)?, length_ms: ms(length)? };
    if cut.length_ms == 0 { Err(wrong()) } else { Ok(cut) }
}

fn cut_words(cut: LinkCut) -> String {
    let server = if cut.server == 1 { String::new() } else { format!("{}@", cut.server) };
    let time = |ms: u64| if ms.is_multiple_of(1000) { format!("{}s", ms / 1000) } else { format!("{ms}ms") };
    format!("{server}{}+{}", time(cut.from_ms), time(cut.length_ms))
}

fn bytes_per_s(value: &str) -> Result<u64, Wrong> {
    bytes(value).ok().filter(|bytes| *bytes > 0).ok_or_else(|| {
        Wrong::of(format!("link_bandwidth is a number of bytes per second, and not '{value}'"))
            .hint("such as 125M for a gigabit")
    })
}

fn parts_per_million(value: &str) -> Result<u32, Wrong> {
    let percent = value.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    match percent {
        Some(percent) if (0.0..=100.0).contains(&percent) => Ok((percent * 1e4).round() as u32),
        _ => Err(Wrong::of(format!("link_loss is a share of the packets, and not '{value}'"))
            .hint("in percent, from 0% to 100%: 0.1%")),
    }
}

fn via(value: &str) -> Result<Via, Wrong> {
    Via::ALL.into_iter().find(|via| via.name() == value).ok_or_else(|| {
        Wrong::of(format!("via is how clients reach the servers, and not '{value}'"))
            .hint("there are: direct, router")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(key: &str, value: &str) -> Result<Arrangement, Wrong> {
        let mut arrangement = Arrangement::default();
        set(&mut arrangement, key, value).map(|_| arrangement)
    }

    #[test]
    fn a_time_has_a_unit() {
        for (text, us) in [("1ms", 1_000), ("0.1ms", 100), ("250us", 250), (" 2 s", 2_000_000), ("0", 0)] {
            assert_eq!(with("link_delay", text).expect(text).link_delay_us, Some(us));
        }
        for text in ["1", "-1ms", "ms", "70s", "1h"] {
            assert!(with("link_jitter", text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (key, value) in [
            ("acks", "2"),
            ("link_delay", "250us"),
            ("link_jitter", "1ms"),
            ("link_bandwidth", "125000000"),
            ("link_loss", "0.1%"),
            ("multi_primary", "on"),
            ("client_delay", "1ms"),
            ("client_jitter", "100us"),
            ("link_cut", "10s+5s"),
            ("link_cut", "2@500ms+1s"),
            ("reads", "replicas"),
            ("via", "router"),
        ] {
            let words = words(&with(key, value).expect(value));
            assert_eq!(words, [(key, value.to_owned())]);
        }
        for text in ["10s", "0@1s+1s", "x@1s+1s", "1s+0s", "1+1", "1s+99s"] {
            assert!(with("link_cut", text).is_err(), "{text}");
        }
        assert_eq!(with("link_bandwidth", "1M").expect("a size").link_bandwidth_bytes_per_s, Some(1 << 20));
        for (key, value) in
            [("link_loss", "0.1"), ("link_loss", "101%"), ("link_bandwidth", "0"), ("acks", "x")]
        {
            assert!(with(key, value).is_err(), "{key}={value}");
        }
        assert_eq!(words(&with("via", "direct").expect("as usual")), []);
        // Every key is known, and takes no nonsense.
        assert!(ARRANGEMENT_KEYS.iter().all(|key| with(key, "?").is_err()));
        assert_eq!(set(&mut Arrangement::default(), "cpus", "?").ok(), Some(false));
    }
}
