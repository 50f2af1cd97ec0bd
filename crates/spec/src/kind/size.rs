//! Counts with suffixes, switches, seconds: the small values of many options, parsed in one place.

use std::str::FromStr;

/// A count such as `100000`, `100K` or `2M`. The suffixes count rows, not bytes, so K is a thousand.
pub fn count(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_000),
        Some((at, 'm' | 'M')) => (&text[..at], 1_000_000),
        Some((at, 'g' | 'G')) => (&text[..at], 1_000_000_000),
        Some((at, 't' | 'T')) => (&text[..at], 1_000_000_000_000),
        _ => (text, 1),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err("it is not a whole number (with K, M, G or T for thousands, millions, ...)".to_owned());
    }
    u64::from_str(digits)
        .ok()
        .and_then(|number| number.checked_mul(factor))
        .ok_or_else(|| "it is too large".to_owned())
}

/// A number of bytes such as `512M` or `2G`. K is 1024, like in MySQL's option files.
pub fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'm' | 'M')) => (&text[..at], 20),
        Some((at, 'g' | 'G')) => (&text[..at], 30),
        Some((at, 't' | 'T')) => (&text[..at], 40),
        _ => (text, 0),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err("it is not a number of bytes, such as 512M or 2G".to_owned());
    }
    let bytes = u64::from_str(digits).ok().and_then(|number| number.checked_mul(1 << shift));
    // TOML and JSON readers agree on whole numbers only up to 2^63 - 1.
    bytes.filter(|bytes| i64::try_from(*bytes).is_ok()).ok_or_else(|| "it is too large".to_owned())
}

/// A count that fits 32 bits.
pub fn count_u32(text: &str) -> Result<u32, String> {
    u32::try_from(count(text)?).map_err(|_| format!("it is larger than {}", u32::MAX))
}

/// A seed. TOML and JSON readers agree on whole numbers only up to 2^63 - 1.
pub fn seed(text: &str) -> Result<u64, String> {
    let seed = u64::from_str(text).map_err(|_| "it is not a whole number".to_owned())?;
    if i64::try_from(seed).is_err() { Err(format!("it is larger than {}", i64::MAX)) } else { Ok(seed) }
}

/// A number of seconds, whole or not; or milliseconds, minutes, hours, days: `90`, `0.5`, `90s`, `500ms`, `10m`, `8h`.
pub fn seconds(text: &str) -> Result<f64, String> {
    // A year; beyond it, it is a typing error.
    const MOST: f64 = 366.0 * 86_400.0;
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3_600.0), ("d", 86_400.0)];
    let (number, unit) = units
        .into_iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))
        .unwrap_or((text, 1.0));
    match f64::from_str(number).map(|number| number * unit) {
        Ok(seconds) if (0.0..=MOST).contains(&seconds) => Ok(seconds),
        Ok(_) => Err("it must be between 0 and a year of seconds".to_owned()),
        Err(_) => Err("it is not a number of seconds, such as 90, 10m or 8h".to_owned()),
    }
}

/// sysbench's switches: on, off, true, false, 1, 0.
pub fn switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "on" | "true" | "1" | "yes" => Ok(true),
        "off" | "false" | "0" | "no" => Ok(false),
        _ => Err("it is on or off".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_multiply_by_thousands() {
        assert_eq!(count("100000"), Ok(100_000));
        assert_eq!(count("100K"), Ok(100_000));
        assert_eq!(count("2m"), Ok(2_000_000));
        assert_eq!(count("3G"), Ok(3_000_000_000));
        assert_eq!(count("1T"), Ok(1_000_000_000_000));
    }

    #[test]
    fn what_is_no_count_is_refused() {
        for text in ["", "K", "-1", "1.5M", "1KK", "0x10", "1 M", "99999999999999999999", "20000000T", "é"] {
            assert!(count(text).is_err(), "{text}");
        }
        assert!(count_u32("5G").is_err());
    }

    #[test]
    fn bytes_are_counted_as_mysql_counts_them() {
        for (text, meaning) in [("4096", 4096), ("64k", 65_536), ("512M", 512 << 20), ("2G", 2 << 30)] {
            assert_eq!(bytes(text), Ok(meaning));
        }
        for text in ["", "G", "-1", "1.5G", "2GB", "99999999T"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn switches_are_sysbenchs() {
        for (text, meaning) in
            [("on", true), ("OFF", false), ("true", true), ("False", false), ("1", true), ("0", false)]
        {
            assert_eq!(switch(text), Ok(meaning));
        }
        assert!(switch("maybe").is_err());
    }

    #[test]
    fn seconds_are_finite_and_not_negative() {
        for (text, meaning) in
            [("0.5", 0.5), ("90s", 90.0), ("500ms", 0.5), ("10m", 600.0), ("8h", 28_800.0), ("1d", 86_400.0)]
        {
            assert_eq!(seconds(text), Ok(meaning));
        }
        for text in ["-1", "nan", "inf", "1e12", "ten", "h", "1h30"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_seed_stays_within_what_every_format_can_hold() {
        assert_eq!(seed("42"), Ok(42));
        assert!(seed("9223372036854775808").is_err());
    }
}
