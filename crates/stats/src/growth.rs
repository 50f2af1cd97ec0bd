//! Work that grows with the data: 1/throughput as a straight line in the transactions done before.
//!
//! Where a statement reads more with each row that the transactions before it left, the time per transaction grows in
//! proportion to their number, and throughput falls as a hyperbola: fast at first, then ever slower.

use crate::describe::mean;
use crate::line::{Line, line};

/// A straight line through 1/throughput, and its deviation from the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// 1/throughput (in units of time) over the transactions done before.
    pub line: Line,
    /// Largest |throughput of the line / throughput found - 1|.
    pub residual_max: f64,
    /// Root mean square of the residuals.
    pub residual_rms: f64,
    /// Share of the throughput that the line loses from the first value to the last; negative if it gains.
    pub decline: f64,
}

/// Fits the line by least squares to equal slots of a run; `rates` are transactions per unit of time, `slot` the length of
/// a slot in that unit. Transactions done before a slot are counted up to its middle. None below four slots, for a rate that is
/// not positive, or where the line reaches 0 within the run.
pub fn growth(rates: &[f64], slot: f64, confidence: f64) -> Option<Growth> {
    if rates.iter().any(|r| !(*r > 0.0 && r.is_finite())) {
        return None;
    }
    let mut before = 0.0;
    let done: Vec<f64> = rates
        .iter()
        .map(|rate| {
            let middle = before + rate * slot / 2.0;
            before += rate * slot;
            middle
        })
        .collect();
    let times: Vec<f64> = rates.iter().map(|r| 1.0 / r).collect();
    let line = line(&done, &times, confidence)?;
    let fitted: Vec<f64> = done.iter().map(|done| 1.0 / line.at(*done)).collect();
    if fitted.iter().any(|f| !(*f > 0.0 && f.is_finite())) {
        return None;
    }
    let residuals: Vec<f64> = fitted.iter().zip(rates).map(|(f, r)| f / r - 1.0).collect();
    let squares: Vec<f64> = residuals.iter().map(|r| r * r).collect();
    Some(Growth {
        line,
        residual_max: residuals.iter().fold(0.0, |most, r| most.max(r.abs())),
        residual_rms: mean(&squares)?.sqrt(),
        decline: 1.0 - fitted[fitted.len() - 1] / fitted[0],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_grows_in_proportion_is_a_line() {
        // Each unit of time does as much as keeps 1/rate = 0.001 + 1e-6 of what was done up to its middle.
        let mut done: f64 = 0.0;
        let rates: Vec<f64> = (0..20)
            .map(|_| {
                let time = 0.001 + 1e-6 * done;
                let rate = (time.hypot(2e-6_f64.sqrt()) - time) / 1e-6;
                done += rate;
                rate
            })
            .collect();
        let found = growth(&rates, 1.0, 0.95).expect("determined");
        assert!((found.line.intercept - 0.001).abs() < 1e-9, "{found:?}");
        assert!((found.line.slope.value - 1e-6).abs() < 1e-12 && found.residual_max < 1e-9, "{found:?}");
        assert!(found.decline > 0.5);
    }

    #[test]
    fn a_level_series_declines_by_nothing_and_a_silent_one_has_no_line() {
        let found = growth(&[100.0; 8], 60.0, 0.95).expect("determined");
        assert!(found.decline.abs() < 1e-9 && found.residual_max < 1e-9);
        assert_eq!(growth(&[1.0, 1.0, 0.0, 1.0, 1.0], 1.0, 0.95), None);
        assert_eq!(growth(&[1.0; 3], 1.0, 0.95), None);
    }
}
