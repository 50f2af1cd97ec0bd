//! Searches on simulated servers: whether they name what was planted, and how often they name something else.

use std::collections::BTreeSet;

use random::Rng;

use super::effects::{UnitEffect, effects};
use super::measured::{Arm, MeasuredArms, Taken};
use super::search::{Ending, Next, Outlook, Search};

/// Differences in all.
const ALL: usize = 24;

fn normal(rng: &mut Rng) -> f64 {
    let unit = |rng: &mut Rng| (rng.uniform_f64()).max(1e-12);
    (-2.0 * unit(rng).ln()).sqrt() * (std::f64::consts::TAU * unit(rng)).cos()
}

struct Simulated {
    outlook: Outlook,
    effects: Vec<UnitEffect>,
    trials: usize,
}

impl Simulated {
    /// The differences that are named in the end.
    fn named(&self) -> BTreeSet<u32> {
        self.effects.iter().filter(|one| one.is_named()).flat_map(|one| one.unit.clone()).collect()
    }

    fn ending(&self) -> Ending {
        match self.outlook.next {
            Next::Done(ending) => ending,
            Next::Measure(_) => panic!("it goes on"),
        }
    }
}

/// A search on a server of which `server` is the logarithm of the throughput with some differences taken. Its trials scatter by 3 %, on a machine whose level wanders by 4 % from block to block.
fn simulate(
    seed: u64,
    both_ways: bool,
    server: &dyn Fn(&Taken) -> f64,
    starts: &dyn Fn(&Taken) -> bool,
) -> Simulated {
    let mut rng = Rng::from_seed(seed);
    let mut arms: Vec<Arm> = Vec::new();
    let (mut block, mut level, mut trials) = (0, 0.0, 0);
    loop {
        let search = Search {
            weights: vec![1.0; ALL],
            margin: 0.02,
            blocks_max: 8,
            both_ways,
            measured: MeasuredArms::of(arms.clone()),
        };
        let outlook = search.look();
        let Next::Measure(wanted) = &outlook.next else {
            let effects = effects(&search, &outlook.units);
            return Simulated { outlook, effects, trials };
        };
        assert!(trials < 2_000, "it never ends: {outlook:?}");
        block += 1;
        level += 0.04 * normal(&mut rng);
        for taken in wanted {
            trials += 1;
            let at = arms.iter().position(|arm| arm.taken == *taken).unwrap_or_else(|| {
                arms.push(Arm { taken: taken.clone(), ..Arm::default() });
                arms.len() - 1
            });
            if starts(taken) {
                arms[at].values.push((block, server(taken) + level + 0.03 * normal(&mut rng)));
            } else {
                arms[at].does_not_start = true;
            }
        }
    }
}

fn always(_: &Taken) -> bool {
    true
}

/// Sum of the effects of what is taken.
fn sum(effects: &[(u32, f64)], taken: &Taken) -> f64 {
    effects.iter().filter(|(one, _)| taken.contains(one)).map(|(_, effect)| effect).sum()
}

/// Shares of `runs` searches that name exactly what was planted, and of those that name something else; and the trials they took.
fn tally(
    runs: u64,
    both_ways: bool,
    planted: &[u32],
    server: &dyn Fn(&mut Rng, &Taken) -> f64,
) -> (f64, f64, f64) {
    let (mut exact, mut wrong, mut trials) = (0, 0, 0);
    let planted: BTreeSet<u32> = planted.iter().copied().collect();
    for seed in 0..runs {
        let of = move |taken: &Taken| server(&mut Rng::from_seed(seed), taken);
        let found = simulate(seed, both_ways, &of, &always);
        exact += u32::from(found.named() == planted);
        wrong += u32::from(!found.named().is_subset(&planted));
        trials += found.trials;
    }
    let share = |count: u32| f64::from(count) / runs as f64;
    (share(exact), share(wrong), trials as f64 / runs as f64)
}

#[test]
fn two_differences_that_matter_are_named_and_no_other() {
    let (exact, wrong, trials) =
        tally(1_000, false, &[5, 17], &|_, taken| sum(&[(5, 0.4), (17, 0.2)], taken));
    assert!(exact >= 0.9 && wrong <= 0.05, "exact {exact}, wrong {wrong}, {trials} trials");
    assert!(trials < 150.0, "{trials} trials");
}

#[test]
fn small_effects_of_many_others_do_not_hide_what_matters() {
    let (exact, wrong, trials) = tally(300, false, &[9], &|rng, taken| {
        let small: Vec<(u32, f64)> =
            (0..ALL as u32).map(|one| (one, 0.002 * (rng.uniform_f64() - 0.5))).collect();
        sum(&[(9, -0.5)], taken) + sum(&small, taken)
    });
    assert!(exact >= 0.9 && wrong <= 0.05, "exact {exact}, wrong {wrong}, {trials} trials");
}

#[test]
fn equal_targets_are_called_so() {
    let found: Vec<Simulated> = (0..300).map(|seed| simulate(seed, false, &|_| 0.0, &always)).collect();
    let named = found.iter().filter(|one| !one.named().is_empty()).count();
    let equal = found.iter().filter(|one| matches!(one.ending(), Ending::Equivalent | Ending::Undecided));
    assert!(named <= 15 && equal.count() >= 285, "{named} named something");
}

#[test]
fn effects_that_cancel_out_are_found_when_both_ways_are_asked_for() {
    let (exact, wrong, trials) = tally(100, true, &[3, 20], &|_, taken| sum(&[(3, 0.3), (20, -0.3)], taken));
    assert!(exact >= 0.85 && wrong <= 0.1, "exact {exact}, wrong {wrong}, {trials} trials");
}

#[test]
fn a_difference_that_matters_only_with_another_is_called_that() {
    let server = |taken: &Taken| if taken.contains(&4) && taken.contains(&15) { 0.5 } else { 0.0 };
    let mut right = 0;
    for seed in 0..100 {
        let found = simulate(seed, false, &server, &always);
        let both = found.named() == BTreeSet::from([4, 15]);
        let called = found.effects.iter().any(|one| !one.only_with.is_empty());
        right += u32::from(both && called);
    }
    assert!(right >= 90, "{right} of 100");
}

#[test]
fn either_of_two_that_suffices_is_found_with_the_other() {
    let server = |taken: &Taken| if taken.contains(&4) || taken.contains(&15) { 0.5 } else { 0.0 };
    let right = (0..100)
        .filter(|seed| simulate(*seed, false, &server, &always).named() == BTreeSet::from([4, 15]))
        .count();
    assert!(right >= 90, "{right} of 100");
}

#[test]
fn combinations_that_do_not_start_are_gone_around() {
    // One needs the other.
    let starts = |taken: &Taken| taken.contains(&11) == taken.contains(&12);
    let server = |taken: &Taken| sum(&[(11, 0.4)], taken);
    let found = simulate(1, false, &server, &starts);
    assert_eq!(found.named(), BTreeSet::from([11, 12]), "the server takes both or none");
    assert_eq!(found.outlook.units, vec![vec![11, 12]]);
    let nothing = simulate(1, false, &server, &|taken| taken.is_empty());
    assert_eq!(nothing.ending(), Ending::InVain);
}
