//! Numbers as people read them.

use crate::view::Estimate;

/// A whole number with thousands separators.
pub fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate or a time with three significant digits, thousands separators from 1,000 on.
pub fn figure(value: f64) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let size = value.abs();
    if size >= 99.95 {
        thousands(size.round() as u64)
    } else if size >= 9.995 {
        format!("{value:.1}")
    } else if size >= 0.0995 || value == 0.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.3}")
    }
}

/// Bytes in binary units, as my.cnf spells them.
pub fn bytes(value: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    for (size, unit) in UNITS {
        if value >= size {
            let number = value as f64 / size as f64;
            return if value.is_multiple_of(size) || number >= 100.0 {
                format!("{} {unit}", thousands(number.round() as u64))
            } else {
                format!("{number:.1} {unit}")
            };
        }
    }
    format!("{value} B")
}

/// `±2 %`, from the half width of an interval; empty for a single run.
pub fn plus_minus(estimate: &Estimate) -> String {
    match estimate.relative_half_width() {
        Some(share) if share < 0.005 => "±<1 %".to_owned(),
        Some(share) => format!("±{:.0} %", share * 100.0),
        None => String::new(),
    }
}
