//! Stalls: stretches in which no client of any worker completed a transaction.
//!
//! Each worker keeps its own stretches without one; a stall is where those of all workers overlap. So nothing is shared
//! while the load runs.

use model::{Stalls, Stretch};

use crate::recorder::STALL_MIN_NS;

/// Maximum number of stalls kept individually: the longest ones.
const KEPT: usize = 100;

/// Finds stalls from what the workers hand over, interval by interval. All instants are nanoseconds since the start of the
/// load.
pub(crate) struct StallFinder {
    /// Per worker: its pauses that may continue beyond what has been examined.
    pauses: Vec<Vec<(u64, u64)>>,
    looked_until_ns: u64,
    found: Vec<(u64, u64)>,
}

impl StallFinder {
    pub fn new(workers: usize) -> Self {
        Self { pauses: vec![Vec::new(); workers], looked_until_ns: 0, found: Vec::new() }
    }

    /// Adds the stretches of a worker.
    pub fn add(&mut self, worker: usize, pauses: Vec<(u64, u64)>) {
        self.pauses[worker].extend(pauses);
    }

    /// Looks for stalls once all workers that still run have handed over their figures until `until_ns`. `running` tells which
    /// ones run.
    pub fn look(&mut self, until_ns: u64, running: &[bool], warmup: bool) {
        let from_ns = self.looked_until_ns;
        self.looked_until_ns = until_ns.max(from_ns);
        let mut common = vec![(from_ns, until_ns)];
        let running = self.pauses.iter().zip(running).filter(|(_, runs)| **runs);
        for (pauses, _) in running {
            common = overlap(&common, pauses);
        }
        for pauses in &mut self.pauses {
            pauses.retain(|(_, to)| *to > until_ns);
        }
        if !warmup {
            common.into_iter().filter(|(from, to)| from < to).for_each(|stretch| self.push(stretch));
        }
    }

    fn push(&mut self, (from, to): (u64, u64)) {
        match self.found.last_mut() {
            Some(last) if last.1 >= from => last.1 = last.1.max(to),
            Some(last) if last.1 - last.0 < STALL_MIN_NS => *last = (from, to),
            _ => self.found.push((from, to)),
        }
    }

    /// All that was found.
    pub fn finish(mut self) -> Stalls {
        self.found.retain(|(from, to)| to - from >= STALL_MIN_NS);
        let stretch = |(from, to): &(u64, u64)| Stretch {
            from_s: *from as f64 / 1e9,
            length_s: (to - from) as f64 / 1e9,
        };
        let mut longest: Vec<Stretch> = self.found.iter().map(stretch).collect();
        let stalled_s = longest.iter().fold(0.0, |sum, stall| sum + stall.length_s);
        let count = longest.len() as u64;
        longest.sort_by(|a, b| b.length_s.total_cmp(&a.length_s));
        longest.truncate(KEPT);
        longest.sort_by(|a, b| a.from_s.total_cmp(&b.from_s));
        Stalls { stalled_s, count, longest }
    }
}

fn overlap(some: &[(u64, u64)], others: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let both = |one: &(u64, u64)| {
        let (from, to) = *one;
        others.iter().map(move |other| (from.max(other.0), to.min(other.1))).filter(|(from, to)| from < to)
    };
    some.iter().flat_map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn ms(stretches: &[(u64, u64)]) -> Vec<(u64, u64)> {
        stretches.iter().map(|(from, to)| (from * MS, to * MS)).collect()
    }

    fn found(finder: StallFinder) -> Vec<(u64, u64)> {
        let to_ms = |s: f64| (s * 1e3).round() as u64;
        finder.finish().longest.iter().map(|s| (to_ms(s.from_s), to_ms(s.length_s))).collect()
    }

    #[test]
    fn a_stall_is_where_the_pauses_of_all_workers_overlap() {
        let mut finder = StallFinder::new(2);
        finder.add(0, ms(&[(100, 700), (990, 1_000)]));
        finder.add(1, ms(&[(300, 900), (995, 1_010)]));
        finder.look(1_000 * MS, &[true, true], false);
        assert_eq!(found(finder), [(300, 400)]);
    }

    #[test]
    fn a_stall_goes_on_over_the_ends_of_intervals() {
        let mut finder = StallFinder::new(2);
        finder.add(0, ms(&[(900, 1_000)]));
        finder.add(1, ms(&[(950, 1_020)]));
        finder.look(1_000 * MS, &[true, true], false);
        // Every pause is told of with its beginning, as long as it lasts.
        finder.add(0, ms(&[(900, 2_010)]));
        finder.add(1, ms(&[(950, 2_000)]));
        finder.look(2_000 * MS, &[true, true], false);
        finder.add(0, ms(&[(900, 2_504), (2_990, 3_000)]));
        finder.add(1, ms(&[(950, 2_954), (2_999, 3_000)]));
        finder.look(3_000 * MS, &[true, true], false);
        assert_eq!(found(finder), [(950, 1_554)]);
    }

    #[test]
    fn what_a_stall_has_of_the_warm_up_does_not_count_and_a_worker_that_ended_is_not_waited_for() {
        let mut finder = StallFinder::new(2);
        finder.add(0, ms(&[(200, 1_000)]));
        finder.add(1, ms(&[(100, 1_000)]));
        finder.look(1_000 * MS, &[true, true], true);
        finder.add(0, ms(&[(200, 1_600), (1_990, 2_000)]));
        finder.look(2_000 * MS, &[true, false], false);
        assert_eq!(found(finder), [(1_000, 600)]);
    }
}
