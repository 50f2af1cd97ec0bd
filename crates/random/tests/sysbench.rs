//! Our key distributions against sysbench's: two-sample chi-square against histograms made by sysbench 1.0.20
//! (`sysbench/histogram.lua` says how), and, for `zipfian`, which that version lacks, against the law itself.

use random::{Keys, Rng};

/// Draws from sysbench per histogram.
const DRAWS: u64 = 1_000_000;

struct Bucket {
    low: u64,
    high: u64,
    count: u64,
}

/// The histogram of that name, neighbouring buckets joined until each holds enough for a chi-square.
fn histogram(text: &str, name: &str) -> Vec<Bucket> {
    let mut buckets: Vec<Bucket> = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        if fields[0] != name {
            continue;
        }
        let [low, high, count] = [1, 2, 3].map(|i| fields[i].parse().expect("a number"));
        match buckets.last_mut().filter(|last| last.count < 50) {
            Some(last) => {
                last.high = high;
                last.count += count;
            }
            None => buckets.push(Bucket { low, high, count }),
        }
    }
    if buckets.last().is_some_and(|last| last.count < 50) {
        let tail = buckets.pop().expect("just seen");
        let last = buckets.last_mut().expect("more than one bucket is full");
        last.high = tail.high;
        last.count += tail.count;
    }
    assert_eq!(buckets.iter().map(|b| b.count).sum::<u64>(), DRAWS);
    buckets
}

/// Far above what chance gives: eight standard deviations of a chi-square with so many degrees of freedom.
fn limit(buckets: usize) -> f64 {
    let freedom = buckets as f64 - 1.0;
    freedom + 8.0 * (2.0 * freedom).sqrt() + 10.0
}

fn assert_fits(keys: Keys, text: &str, name: &str) {
    let buckets = histogram(text, name);
    let high = buckets.last().expect("never empty").high;
    let mut rng = Rng::from_seed(20);
    let mut ours = vec![0u64; buckets.len()];
    for _ in 0..DRAWS {
        let key = keys.draw(&mut rng, 1, high);
        ours[buckets.partition_point(|b| b.high < key)] += 1;
    }
    // Both samples are equally large.
    let chi_square: f64 = buckets
        .iter()
        .zip(&ours)
        .map(|(theirs, ours)| (theirs.count as f64 - *ours as f64).powi(2) / (theirs.count + ours) as f64)
        .sum();
    let worst = buckets.iter().zip(&ours).max_by_key(|(theirs, ours)| theirs.count.abs_diff(**ours));
    let worst = worst.map(|(b, n)| format!("{}..{}: sysbench {}, ours {n}", b.low, b.high, b.count));
    assert!(chi_square < limit(buckets.len()), "{name}: chi-square {chi_square}; furthest apart: {worst:?}");
}

fn assert_fits_every_range(keys: Keys, text: &str) {
    for name in ["small", "large", "million"] {
        assert_fits(keys, text, name);
    }
}

#[test]
fn uniform_is_sysbenchs() {
    assert_fits_every_range(Keys::uniform(), include_str!("sysbench/uniform.txt"));
}

#[test]
fn gaussian_is_sysbenchs() {
    assert_fits_every_range(Keys::gaussian(12), include_str!("sysbench/gaussian.txt"));
}

#[test]
fn special_is_sysbenchs() {
    assert_fits_every_range(Keys::special(12, 1, 75), include_str!("sysbench/special.txt"));
}

#[test]
fn pareto_is_sysbenchs() {
    assert_fits_every_range(Keys::pareto(0.2), include_str!("sysbench/pareto.txt"));
}

#[test]
fn the_comparison_notices_a_wrong_distribution() {
    let wrong = Keys::special(12, 1, 74);
    let caught =
        std::panic::catch_unwind(|| assert_fits(wrong, include_str!("sysbench/special.txt"), "large"));
    assert!(caught.is_err());
}

#[test]
fn zipfian_follows_zipfs_law() {
    const N: u64 = 300;
    for exponent in [0.0, 0.5, 0.8, 1.0, 1.5, 3.0] {
        let weights: Vec<f64> = (1..=N).map(|i| (i as f64).powf(-exponent)).collect();
        let total: f64 = weights.iter().sum();
        // prepared for this range, and prepared for another one
        for keys in [Keys::zipfian(exponent, N), Keys::zipfian(exponent, 7)] {
            let mut rng = Rng::from_seed(21);
            let mut ours = vec![0u64; N as usize];
            for _ in 0..DRAWS {
                ours[keys.draw(&mut rng, 1001, 1000 + N) as usize - 1001] += 1;
            }
            let fits = |i: usize| weights[i] / total * DRAWS as f64 >= 10.0;
            let usable = (0..N as usize).take_while(|i| fits(*i)).count();
            let chi_square: f64 = (0..usable)
                .map(|i| {
                    let expected = weights[i] / total * DRAWS as f64;
                    (ours[i] as f64 - expected).powi(2) / expected
                })
                .sum();
            assert!(chi_square < limit(usable), "exponent {exponent}: chi-square {chi_square}");
        }
    }
}
