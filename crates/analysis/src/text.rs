//! Numbers as sentences show them.

use crate::Words;

/// `12,105`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Three significant digits, whole numbers from 100 on: `8.31`, `33.1`, `904`, `12,105`.
pub fn figure(value: f64) -> String {
    match value.abs() {
        v if v >= 99.95 => count(value.round().max(0.0) as u64),
        v if v >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// `1.41`.
pub fn ratio(value: f64) -> String {
    if value >= 10.0 { format!("{value:.1}") } else { format!("{value:.2}") }
}

/// `3 s`, `0.5 s`: seconds as short as they can be said.
pub fn seconds(value: f64) -> String {
    let digits = usize::from((value * 10.0).round() % 10.0 != 0.0);
    format!("{value:.digits$} s")
}

/// A share of 1 as `2 %`, `0.3 %`.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    if value.abs() < 0.95 { format!("{value:.1} %") } else { format!("{value:.0} %") }
}

/// Binary units: `1 GiB`, `1.5 GiB`.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = usize::from(value.fract() != 0.0);
    format!("{value:.digits$} {}", UNITS[unit])
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
    let plural = if threads == 1 { "" } else { "s" };
    format!("{} client{plural}", count(threads.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_in_a_report() {
        assert_eq!([0, 999, 1000, 1234567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [8.314, 33.14, 99.97, 904.4, 12105.2].map(figure),
            ["8.31", "33.1", "100", "904", "12,105"]
        );
        assert_eq!([0.003, 0.02, 0.114].map(percent), ["0.3 %", "2 %", "11 %"]);
        assert_eq!([134217728, 1610612736, 512].map(bytes), ["128 MiB", "1.5 GiB", "512 B"]);
        assert_eq!(list(&["1".into(), "4".into(), "16".into()]).en, "1, 4 and 16");
        assert_eq!((clients(1), clients(1024)), ("1 client".into(), "1,024 clients".into()));
    }
}
