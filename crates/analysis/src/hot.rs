//! What sampled stacks say: which functions and which threads of a server use CPU, and how two servers differ in that.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// At the end of the names of the kernel's functions.
const KERNEL: &str = "_[k]";
/// So many functions, and so many threads.
const MOST: usize = 10;

/// Sampled stacks, summed up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HotStacks {
    /// Samples.
    pub samples: u64,
    /// Share of them that end in code without a symbol.
    pub unknown_share: f64,
    /// Share of them whose stack has one function outside the kernel: it could not be followed to its caller.
    pub cut_share: f64,
    /// The functions with the most time of their own.
    pub functions: Vec<HotFunction>,
    /// The threads that use most.
    pub threads: Vec<HotThread>,
    /// Every function's share of its own, by name.
    own_shares: BTreeMap<String, f64>,
}

/// A function that uses CPU.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HotFunction {
    /// Its name; `_[k]` at the end: of the kernel; `[mysqld]`: code of that file without a symbol.
    pub name: String,
    /// Share of the samples that end in it.
    pub self_share: f64,
    /// Share of the samples that end in it, or in what it calls.
    pub total_share: f64,
}

/// The threads of one name.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HotThread {
    /// Their name.
    pub name: String,
    /// Their share of the samples.
    pub share: f64,
}

/// A function that takes another share of one server's CPU time than of the other's.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HotChange {
    /// Its name.
    pub name: String,
    /// Share of the samples that end in it, of the first server.
    pub base_share: f64,
    /// Of the other server.
    pub other_share: f64,
}

/// Sums up folded stacks: `thread;function;function 12` on each line.
pub fn hot_stacks(folded: &str) -> HotStacks {
    let (mut samples, mut unknown, mut cut) = (0, 0, 0);
    let mut own: BTreeMap<&str, u64> = BTreeMap::new();
    let mut total: BTreeMap<&str, u64> = BTreeMap::new();
    let mut threads: BTreeMap<&str, u64> = BTreeMap::new();
    for (stack, count) in folded.lines().filter_map(line) {
        let mut parts = stack.split(';');
        let thread = parts.next().unwrap_or_default();
        let functions: Vec<&str> = parts.collect();
        let Some(last) = functions.last() else { continue };
        samples += count;
        unknown += if last.starts_with('[') { count } else { 0 };
        let outside = functions.iter().filter(|function| !function.ends_with(KERNEL)).count();
        cut += if outside == 1 { count } else { 0 };
        *threads.entry(thread).or_default() += count;
        *own.entry(last).or_default() += count;
        // A function that calls itself counts once.
        for function in functions.into_iter().collect::<BTreeSet<_>>() {
            *total.entry(function).or_default() += count;
        }
    }
    let share = |count: u64| count as f64 / samples.max(1) as f64;
    let functions = most(&own).into_iter().map(|(name, count)| HotFunction {
        name: name.to_owned(),
        self_share: share(count),
        total_share: share(total[name]),
    });
    let busy = most(&threads)
        .into_iter()
        .map(|(name, count)| HotThread { name: name.to_owned(), share: share(count) });
    HotStacks {
        samples,
        unknown_share: share(unknown),
        cut_share: share(cut),
        functions: functions.collect(),
        threads: busy.collect(),
        own_shares: own.iter().map(|(name, count)| ((*name).to_owned(), share(*count))).collect(),
    }
}

/// The functions whose shares differ most, the greatest difference first.
pub fn hot_changes(base: &HotStacks, other: &HotStacks) -> Vec<HotChange> {
    let names: BTreeSet<&String> = base.own_shares.keys().chain(other.own_shares.keys()).collect();
    let share = |of: &HotStacks, name: &String| of.own_shares.get(name).copied().unwrap_or(0.0);
    let change = |name: &String| HotChange {
        name: name.clone(),
        base_share: share(base, name),
        other_share: share(other, name),
    };
    let mut changes: Vec<HotChange> = names.into_iter().map(change).collect();
    let size = |one: &HotChange| (one.other_share - one.base_share).abs();
    changes.sort_by(|a, b| size(b).total_cmp(&size(a)).then_with(|| a.name.cmp(&b.name)));
    changes.truncate(MOST);
    changes
}

fn line(line: &str) -> Option<(&str, u64)> {
    let (stack, count) = line.rsplit_once(' ')?;
    Some((stack, count.parse().ok()?))
}

fn most<'a>(counts: &BTreeMap<&'a str, u64>) -> Vec<(&'a str, u64)> {
    let mut all: Vec<(&str, u64)> = counts.iter().map(|(name, count)| (*name, *count)).collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    all.truncate(MOST);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDED: &str = "\
connection;do_command;row_search;memcpy 30
connection;do_command;row_search;row_search 20
connection;do_command;[mysqld] 10
log_writer;send;send_[k] 40
";

    #[test]
    fn time_of_its_own_and_with_callees_is_told_apart() {
        let hot = hot_stacks(FOLDED);
        assert_eq!((hot.samples, hot.unknown_share, hot.cut_share), (100, 0.1, 0.4));
        let found: Vec<_> =
            hot.functions.iter().map(|one| (one.name.as_str(), one.self_share, one.total_share)).collect();
        let expected =
            [("send_[k]", 0.4, 0.4), ("memcpy", 0.3, 0.3), ("row_search", 0.2, 0.5), ("[mysqld]", 0.1, 0.1)];
        assert_eq!(found, expected);
        let threads: Vec<_> = hot.threads.iter().map(|one| (one.name.as_str(), one.share)).collect();
        assert_eq!(threads, [("connection", 0.6), ("log_writer", 0.4)]);
    }

    #[test]
    fn functions_whose_shares_differ_most_come_first() {
        let other = hot_stacks("connection;do_command;row_search 90\nconnection;sha256 10\n");
        let changes = hot_changes(&hot_stacks(FOLDED), &other);
        assert_eq!(changes[0].name, "row_search");
        assert_eq!((changes[0].base_share, changes[0].other_share), (0.2, 0.9));
        let sha = changes.iter().find(|one| one.name == "sha256").expect("it is new");
        assert_eq!((sha.base_share, sha.other_share), (0.0, 0.1));
    }

    #[test]
    fn what_is_no_stack_is_left_out() {
        assert_eq!(hot_stacks("nonsense\n\nthread 5\na;b x\n").samples, 0);
    }
}
