//! An absolute bound of a metric, as thresholds and conditions are written: `p99>20ms`.

use crate::metric::{self, Metric, MetricUnit, NAMES, metric_of};

/// The metric of that name: those of gates, and errors.
fn metric_named(name: &str) -> Option<&'static Metric> {
    if name == "errors" { metric::by_id(name) } else { metric_of(name) }
}

/// The metric of `METRIC<VALUE` or `METRIC>VALUE`, the value in its unit, and whether it is `<`.
pub(crate) fn read(text: &str, form: &str) -> Result<(&'static Metric, f64, bool), String> {
    let at = text.find(['<', '>']).ok_or_else(|| format!("it has neither < nor >: {form}"))?;
    let name = text[..at].trim();
    let names = || NAMES.map(|(short, _)| short).join(", ");
    let metric = metric_named(name)
        .ok_or_else(|| format!("there is no metric '{name}': it is one of {}, errors", names()))?;
    let value = text[at + 1..].trim();
    if value.ends_with('%') {
        return Err(
            "a change in percent needs something to compare with: mydyno compare and mydyno history \
                    take it"
                .to_owned(),
        );
    }
    let bound = match metric.unit {
        MetricUnit::Nanoseconds => nanoseconds(value),
        _ => value.trim_end_matches("/s").trim().parse().ok(),
    };
    let bound = bound.filter(|bound: &f64| bound.is_finite() && *bound >= 0.0);
    let unit = if metric.unit == MetricUnit::Nanoseconds {
        "a time with its unit (ms, us or s)"
    } else {
        "a number"
    };
    let bound = bound.ok_or_else(|| format!("'{value}' is not {unit}: {form}"))?;
    Ok((metric, bound, text[at..].starts_with('<')))
}

fn nanoseconds(text: &str) -> Option<f64> {
    const UNITS: [(&str, f64); 5] = [("ms", 1e6), ("us", 1e3), ("µs", 1e3), ("ns", 1.0), ("s", 1e9)];
    let (number, scale) = UNITS.iter().find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, *scale)))?;
    Some(number.trim().parse::<f64>().ok()? * scale)
}
