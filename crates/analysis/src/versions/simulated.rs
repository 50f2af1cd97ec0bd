//! Searches on simulated builds: how often the build that changed something is found.

use random::Rng;

use super::VersionStanding;
use super::look::{Look, Next, Rule};
use crate::bisect::{Arm, MeasuredArms, Taken};

fn normal(rng: &mut Rng) -> f64 {
    let unit = |rng: &mut Rng| rng.uniform_f64().max(1e-12);
    (-2.0 * unit(rng).ln()).sqrt() * (std::f64::consts::TAU * unit(rng)).cos()
}

/// A search among builds of which `build` is the logarithm of the throughput; none: it does not start. Trials scatter by 3 %, on a
/// machine whose level wanders by 4 % from block to block.
fn simulate(seed: u64, builds: u32, build: &dyn Fn(u32) -> Option<f64>) -> (Look, usize) {
    let rule = Rule { builds, margin: 0.02, trials_max: 30 };
    let mut rng = Rng::from_seed(seed);
    let mut arms: Vec<Arm> =
        (0..builds).map(|at| Arm { taken: Taken::from([at]), ..Arm::default() }).collect();
    let (mut block, mut level, mut trials) = (0, 0.0, 0);
    loop {
        let look = rule.look(&MeasuredArms::of(arms.clone()));
        let Next::Measure(wanted) = &look.next else { return (look, trials) };
        assert!(trials < 2_000, "it never ends: {look:?}");
        block += 1;
        level += 0.04 * normal(&mut rng);
        for at in wanted {
            trials += 1;
            let arm = &mut arms[*at as usize];
            match build(*at) {
                Some(throughput) => arm.values.push((block, throughput + level + 0.03 * normal(&mut rng))),
                None => arm.does_not_start = true,
            }
        }
    }
}

#[test]
fn the_build_that_changed_it_is_found_as_often_as_promised() {
    const RUNS: u64 = 400;
    let (mut right, mut trials) = (0, 0);
    for seed in 0..RUNS {
        let changed = 1 + (seed % 19) as u32;
        let (look, took) = simulate(seed, 20, &|at| Some(if at >= changed { -0.1 } else { 0.0 }));
        right += u32::from(look.after == changed && look.before == changed - 1);
        trials += took;
    }
    let share = f64::from(right) / RUNS as f64;
    assert!(share >= 1.0 - super::ERROR, "right in {share} of {RUNS}");
    assert!(trials / RUNS as usize <= 100, "{} trials on average", trials / RUNS as usize);
}

#[test]
fn builds_that_are_alike_end_it_soon() {
    let equal = (0..50).filter(|seed| {
        let (look, _) = simulate(*seed, 8, &|_| Some(0.0));
        matches!(look.next, Next::Done(VersionStanding::Equivalent | VersionStanding::Undecided))
    });
    assert!(equal.count() >= 48);
}

#[test]
fn a_build_that_does_not_start_is_passed_over() {
    let (look, _) = simulate(3, 5, &|at| match at {
        2 => None,
        at => Some(if at >= 3 { -0.2 } else { 0.0 }),
    });
    assert_eq!((look.before, look.after), (1, 3));
}
