//! Numbers as sentences show them.

use crate::Words;

/// `1.5 GiB`.
pub use model::text::bytes;
/// `12,105`.
pub use model::thousands as count;

/// Three significant digits, whole numbers from 100 on: `8.31`, `33.1`, `904`, `12,105`; `0.050` down to the thousandth.
pub fn figure(value: f64) -> String {
    match value.abs() {
        size if !size.is_finite() => "-".to_owned(),
        size if size >= 99.95 => {
            let sign = if value < 0.0 { "-" } else { "" };
            format!("{sign}{}", count(size.round() as u64))
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

/// Ratios beyond this, or below its inverse, say only that the trials are too few.
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

/// `[-7.4, +15.2]`: the same as changes in percent.
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
    model::text::counted(threads.into(), "client")
}

#[cfg(test)]
mod tests {
    use super::*;

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
