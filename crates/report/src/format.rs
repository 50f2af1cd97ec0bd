//! Numbers as people read them.

pub use analysis::text::figure;
pub use model::thousands;

use crate::view::Estimate;
use crate::words::Lang;

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

/// `[860, 880]`; that the trials are too few for one; nothing for a single trial.
pub fn ends(estimate: &Estimate, lang: Lang) -> String {
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => format!("[{}, {}]", figure(low), figure(high)),
        _ if estimate.n > 1 => lang.pick("[too few trials]", "[试验次数太少]").to_owned(),
        _ => String::new(),
    }
}
