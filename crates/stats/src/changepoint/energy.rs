//! The split of a series whose two parts are the most different.

/// A split and how different its parts are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Split {
    /// First index of the second part.
    pub(super) index: usize,
    /// Q of Matteson and James, equation 7.
    pub(super) q: f64,
}

/// The best split of values[from..to] into values[from..t] and values[t..k], k at most `to`: the largest Q = mn / (m + n)
/// (2 E|X - Y| - E|X - X'| - E|Y - Y'|) (Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis
/// of Multivariate Data", 2014, equations 5 to 7, exponent 1). The second part may end early, since a later change would
/// hide this one. Both have at least `part_min` values. None if there is no room for two parts.
pub(super) fn best_split(values: &[f64], from: usize, to: usize, part_min: usize) -> Option<Split> {
    let part_min = part_min.max(1);
    let part = &values[from..to];
    let count = part.len();
    if count < 2 * part_min {
        return None;
    }
    // Sum of distances within part[..t], for each t.
    let mut within_first = vec![0.0; count + 1];
    for t in 0..count {
        within_first[t + 1] = within_first[t] + part[..t].iter().map(|v| (v - part[t]).abs()).sum::<f64>();
    }
    // Sums of distances within part[t..k] and between part[..t] and part[t..k], for the k at hand and each t: both grow by the
    // distances of the value that k takes in.
    let (mut within_second, mut between) = (vec![0.0; count], vec![0.0; count]);
    let mut best: Option<Split> = None;
    for k in 1..=count {
        let taken = part[k - 1];
        let all: f64 = part[..k].iter().map(|v| (v - taken).abs()).sum();
        let mut to_first = 0.0;
        for t in 1..k {
            to_first += (part[t - 1] - taken).abs();
            between[t] += to_first;
            within_second[t] += all - to_first;
        }
        // Where the second part begins with what was taken in, it had no values before.
        between[k - 1] = if k > 1 { all } else { 0.0 };
        within_second[k - 1] = 0.0;
        for t in part_min..=k.saturating_sub(part_min) {
            let (m, n) = (t as f64, (k - t) as f64);
            let mut q = 2.0 * between[t];
            if t > 1 {
                q -= 2.0 * n / (m - 1.0) * within_first[t];
            }
            if k - t > 1 {
                q -= 2.0 * m / (n - 1.0) * within_second[t];
            }
            q /= m + n;
            if best.is_none_or(|best| q > best.q) {
                best = Some(Split { index: from + t, q });
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, word for word.
    fn slow(values: &[f64], part_min: usize) -> Option<Split> {
        let mean = |pairs: Vec<f64>| {
            if pairs.is_empty() { 0.0 } else { pairs.iter().sum::<f64>() / pairs.len() as f64 }
        };
        let inner = |s: &[f64]| {
            mean(
                (0..s.len())
                    .flat_map(|i| (0..i).map(move |j| (i, j)))
                    .map(|(i, j)| (s[i] - s[j]).abs())
                    .collect(),
            )
        };
        let mut best: Option<Split> = None;
        for t in part_min..values.len() {
            for k in t + part_min..=values.len() {
                let (x, y) = (&values[..t], &values[t..k]);
                let outer = mean(x.iter().flat_map(|x| y.iter().map(move |y| (x - y).abs())).collect());
                let weight = (x.len() * y.len()) as f64 / (x.len() + y.len()) as f64;
                let q = weight * (2.0 * outer - inner(x) - inner(y));
                if best.is_none_or(|best| q > best.q) {
                    best = Some(Split { index: t, q });
                }
            }
        }
        best
    }

    proptest! {
        #[test]
        fn sums_give_what_the_definition_gives(values in prop::collection::vec(-1e3..1e3_f64, 2..16), part_min in 1..4_usize) {
            let (found, expected) = (best_split(&values, 0, values.len(), part_min), slow(&values, part_min));
            prop_assert_eq!(found.is_some(), expected.is_some());
            if let (Some(found), Some(expected)) = (found, expected) {
                prop_assert!((found.q - expected.q).abs() < 1e-6 * (1.0 + expected.q.abs()), "{:?} {:?}", found, expected);
            }
        }
    }

    #[test]
    fn a_part_of_a_series_is_split_by_its_own_values() {
        let values = [9.0, 9.0, 1.0, 1.1, 0.9, 5.0, 5.1, 4.9, 100.0];
        assert_eq!(best_split(&values, 2, 8, 1).map(|s| s.index), Some(5));
        assert_eq!(best_split(&values, 2, 5, 2), None);
    }
}
