//! Numbers as shown to the user: one notation for each kind, for the whole program.

use crate::words::Words;

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

/// Three significant digits, whole numbers from 100 on: `8.31`, `33.1`, `904`, `12,105`; `0.050` down to the thousandth.
pub fn figure(value: f64) -> String {
    match value.abs() {
        size if !size.is_finite() => "-".to_owned(),
        size if size >= 99.95 => {
            let sign = if value < 0.0 { "-" } else { "" };
            format!("{sign}{}", thousands(size.round() as u64))
        }
        size if size >= 9.995 => format!("{value:.1}"),
        size if size >= 0.0995 || size == 0.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// `1.41`.
pub fn ratio(value: f64) -> String {
    match value {
        value if value >= 10.0 => format!("{value:.1}"),
        value if value < 0.1 => format!("{value:.3}"),
        value => format!("{value:.2}"),
    }
}

/// Ratios beyond this, or below its inverse, only show that there are too few trials.
pub const RATIO_MAX: f64 = 100.0;

/// `[0.84, 1.56]`: the interval of a ratio, its ends no farther out than means something.
pub fn ratio_interval(low: f64, high: f64) -> Words {
    let (open_low, open_high) = (low < 1.0 / RATIO_MAX, high > RATIO_MAX);
    if open_low && open_high {
        let most = format!("{RATIO_MAX:.0}");
        return Words::new(format!("[more than {most}x either way]"), format!("[两个方向均超过 {most} 倍]"));
    }
    let low = if open_low { "<0.01".to_owned() } else { ratio(low) };
    let high = if open_high { format!(">{RATIO_MAX:.0}") } else { ratio(high) };
    let interval = format!("[{low}, {high}]");
    Words::new(interval.clone(), interval)
}

/// `[-7.4, +15.2]`: the interval as changes in percent.
pub fn change_interval(low: f64, high: f64) -> Words {
    let (open_low, open_high) = (low < 1.0 / RATIO_MAX, high > RATIO_MAX);
    if open_low && open_high {
        return ratio_interval(low, high);
    }
    let low = if open_low { "<-99".to_owned() } else { change(low) };
    let high = if open_high { format!("more than {RATIO_MAX:.0}x") } else { change(high) };
    let zh =
        if open_high { format!("[{low}, 超过 {RATIO_MAX:.0} 倍]") } else { format!("[{low}, {high}]") };
    Words::new(format!("[{low}, {high}]"), zh)
}

/// `-1.1`, `+14.0`: percent of the base.
pub fn change(ratio: f64) -> String {
    format!("{:+.1}", (ratio - 1.0) * 100.0)
}

/// `3 s`, `0.5 s`: seconds in the shortest notation.
pub fn seconds(value: f64) -> String {
    let digits = usize::from((value * 10.0).round() % 10.0 != 0.0);
    format!("{value:.digits$} s")
}

/// A share of 1 as `2 %`, `0.3 %`.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    if value.abs() < 0.95 { format!("{value:.1} %") } else { format!("{value:.0} %") }
}

/// `1, 4 and 16`.
pub fn list(items: &[String]) -> Words {
    match items {
        [] => Words::new("", ""),
        [one] => Words::new(one.clone(), one.clone()),
        [head @ .., last] => {
            Words::new(format!("{} and {last}", head.join(", ")), format!("{} 和 {last}", head.join("、")))
        }
    }
}

/// `16 clients`, `1 client`.
pub fn clients(threads: u32) -> String {
    counted(threads.into(), "client")
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

    #[test]
    fn numbers_read_as_in_a_report() {
        assert_eq!(
            [0.0, 0.0501, 8.314, 33.14, 99.97, 904.4, 12105.2, -12105.2, f64::NAN].map(figure),
            ["0.00", "0.050", "8.31", "33.1", "100", "904", "12,105", "-12,105", "-"]
        );
        assert_eq!([0.003, 0.02, 0.114].map(percent), ["0.3 %", "2 %", "11 %"]);
        assert_eq!(list(&["1".into(), "4".into(), "16".into()]).en, "1, 4 and 16");
        assert_eq!((clients(1), clients(1024)), ("1 client".into(), "1,024 clients".into()));
    }
}
