//! Numbers as people read them.

pub use analysis::text::figure;
pub use model::thousands;

use crate::view::Estimate;

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
