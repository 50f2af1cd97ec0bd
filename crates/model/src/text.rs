//! Numbers as people read them.

/// `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 client`, `1,024 clients`: a number and its noun, which takes an s.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// `12 B`, `1.5 GiB`, `12.3 MiB`, `128 KiB`: three significant digits in the largest binary unit that is not below 1.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    // 1,023.7 would be shown as 1,024.
    while value >= 1023.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let number = if value >= 99.95 {
        thousands(value.round() as u64)
    } else {
        let digits = if value >= 9.995 { 1 } else { 2 };
        let text = format!("{value:.digits$}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    format!("{number} {}", UNITS[unit])
}

/// `6.1 s`, `42 s`, `3 min 12 s`, `2 h 5 min`: two units at most.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        _ if seconds < 9.95 => format!("{seconds:.1} s"),
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_three_digits_are_set_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_noun_follows_its_number() {
        assert_eq!([0, 1, 1024].map(|n| counted(n, "client")), ["0 clients", "1 client", "1,024 clients"]);
    }

    #[test]
    fn sizes_have_three_significant_digits_at_most() {
        let said = [0, 12, 1000, 1023, 1024, 1536 << 20, 12_345_678, 128 << 20, (1 << 30) - 1, 1 << 30];
        assert_eq!(
            said.map(bytes),
            [
                "0 B", "12 B", "1,000 B", "1,023 B", "1 KiB", "1.5 GiB", "11.8 MiB", "128 MiB", "1 GiB",
                "1 GiB"
            ]
        );
        assert_eq!(
            [1_340_000_000, 99_960_000 << 10, u64::MAX].map(bytes),
            ["1.25 GiB", "95.3 GiB", "16,384 PiB"]
        );
    }

    #[test]
    fn durations_have_two_units_at_most() {
        let said = [0.04, 6.1, 42.4, 192.0, 7500.0].map(duration);
        assert_eq!(said, ["0.0 s", "6.1 s", "42 s", "3 min 12 s", "2 h 5 min"]);
    }
}
