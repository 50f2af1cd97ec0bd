//! Delays of links, as they are written.

use crate::values::Wrong;

/// A delay such as `1ms`, `250us`, `0.5ms` or `0`.
pub(crate) fn microseconds(value: &str) -> Result<u64, Wrong> {
    let value = value.trim();
    let units = [("us", 1.0), ("ms", 1e3), ("s", 1e6)];
    let (number, us) = units
        .iter()
        .find_map(|(unit, us)| Some((value.strip_suffix(unit)?.trim(), *us)))
        .unwrap_or((value, if value == "0" { 1.0 } else { f64::NAN }));
    let delay_us = number.parse::<f64>().unwrap_or(f64::NAN) * us;
    if (0.0..=60e6).contains(&delay_us) {
        return Ok(delay_us.round() as u64);
    }
    Err(Wrong::of(format!("'{value}' is no delay of a link"))
        .hint("a time with its unit, at most 60s: 250us, 0.5ms, 10ms"))
}

/// A delay as it is written.
pub(crate) fn written(us: u64) -> String {
    if us.is_multiple_of(1000) { format!("{}ms", us / 1000) } else { format!("{us}us") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_has_a_unit() {
        for (text, us) in [("1ms", 1_000), ("0.1ms", 100), ("250us", 250), (" 2 s", 2_000_000), ("0", 0)] {
            assert_eq!(microseconds(text).expect(text), us);
        }
        for text in ["1", "-1ms", "ms", "70s", "1h"] {
            assert!(microseconds(text).is_err(), "{text}");
        }
        assert_eq!(
            (written(250).as_str(), written(1_000).as_str(), written(0).as_str()),
            ("250us", "1ms", "0ms")
        );
    }
}
