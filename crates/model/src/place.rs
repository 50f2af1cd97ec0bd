//! The placement of a sandboxed server: its CPUs, its memory nodes, and its limits on both.
//!
//! It is part of the target, so that a comparison can differ in placement alone. Anything left out keeps the machine's setting.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The placement of a sandboxed server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// CPUs that its threads may run on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpus: Option<IdList>,
    /// Its CPUs, by memory node: all CPUs of these nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_nodes: Option<IdList>,
    /// An equal share of the machine's CPUs; further servers of the target have the shares after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_share: Option<CpuShare>,
    /// Memory nodes that all of its memory is from (the policy MPOL_BIND of set_mempolicy(2)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_nodes: Option<IdList>,
    /// Memory nodes that its pages are dealt out to in turn (MPOL_INTERLEAVE).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interleave: Option<Nodes>,
    /// CPU time that it may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_quota: Option<CpuQuota>,
    /// Memory that it may use, page cache included, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_max_bytes: Option<u64>,
}

impl Place {
    /// Placement keys allowed after the `?` of a sandbox, in display order.
    pub const KEYS: [&str; 7] =
        ["cpus", "cpu-nodes", "cpu-share", "memory-nodes", "interleave", "cpu-quota", "memory-max"];

    /// True if the machine decides everything.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The place of the server at this position of a target: servers that belong together have shares of their own.
    pub fn of_member(&self, at: usize) -> Self {
        Self { cpu_share: self.cpu_share.map(|share| share.after(at)), ..self.clone() }
    }

    /// The settings, as on the command line.
    pub fn words(&self) -> Vec<(&'static str, String)> {
        let values = [
            self.cpus.as_ref().map(IdList::to_string),
            self.cpu_nodes.as_ref().map(IdList::to_string),
            self.cpu_share.map(|share| share.to_string()),
            self.memory_nodes.as_ref().map(IdList::to_string),
            self.interleave.as_ref().map(Nodes::to_string),
            self.cpu_quota.map(|quota| quota.to_string()),
            self.memory_max_bytes.map(size),
        ];
        Self::KEYS.into_iter().zip(values).filter_map(|(key, value)| Some((key, value?))).collect()
    }
}

/// `cpus=0-1 cpu-quota=1.5`, for people.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.words().iter().map(|(key, value)| format!("{key}={value}")).collect();
        f.write_str(&words.join(" "))
    }
}

/// Bytes in the largest unit that divides them: `2G`.
fn size(bytes: u64) -> String {
    let units = [("T", 40), ("G", 30), ("M", 20), ("K", 10)];
    let whole = |shift: u32| bytes > 0 && bytes.trailing_zeros() >= shift;
    match units.into_iter().find(|(_, shift)| whole(*shift)) {
        Some((unit, shift)) => format!("{}{unit}", bytes >> shift),
        None => bytes.to_string(),
    }
}

/// Numbers of CPUs or of memory nodes, as the kernel writes them: `0-3,8`. There is one at least.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct IdList(BTreeSet<u32>);

impl IdList {
    /// The largest number that Linux is built for (NR_CPUS of CONFIG_MAXSMP, less one).
    pub const LARGEST: u32 = 8191;

    /// The ids in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().copied()
    }

    /// The number of ids.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The ids that are not in `other`; none if all are.
    pub fn missing_in(&self, other: &IdList) -> Option<IdList> {
        Self::of(self.0.difference(&other.0).copied())
    }

    /// A list of these; none without any.
    pub fn of(numbers: impl IntoIterator<Item = u32>) -> Option<Self> {
        let numbers: BTreeSet<u32> = numbers.into_iter().collect();
        (!numbers.is_empty()).then_some(Self(numbers))
    }
}

impl FromStr for IdList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "it is not a list of numbers and ranges, such as 0-3,8".to_owned();
        let number = |text: &str| match text.parse::<u32>() {
            Ok(number) if number <= Self::LARGEST && text.bytes().all(|b| b.is_ascii_digit()) => Ok(number),
            Ok(_) if !text.starts_with('+') => Err(format!("it names a number above {}", Self::LARGEST)),
            _ => Err(wrong()),
        };
        let mut numbers = BTreeSet::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(format!("the range {part} ends before it begins"));
            }
            numbers.extend(first..=last);
        }
        Ok(Self(numbers))
    }
}

impl fmt::Display for IdList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for number in self.iter() {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        let text = |(first, last): &(u32, u32)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        };
        f.write_str(&ranges.iter().map(text).collect::<Vec<_>>().join(","))
    }
}

impl TryFrom<String> for IdList {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<IdList> for String {
    fn from(list: IdList) -> Self {
        list.to_string()
    }
}

/// Memory nodes to interleave over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Nodes {
    /// Every node of the machine that has memory.
    All,
    /// These.
    These(IdList),
}

impl FromStr for Nodes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        text.parse().map(Self::These).map_err(|wrong| format!("{wrong}, or all"))
    }
}

impl fmt::Display for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::These(list) => list.fmt(f),
        }
    }
}

impl TryFrom<String> for Nodes {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Nodes> for String {
    fn from(nodes: Nodes) -> Self {
        nodes.to_string()
    }
}

/// One of several equal shares of the machine's CPUs: `1/2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CpuShare {
    part: u32,
    of: u32,
}

impl CpuShare {
    /// The number of shares.
    pub fn shares(self) -> usize {
        self.of as usize
    }

    /// The CPUs of this share, of those that are given in their order; what cannot be dealt out evenly goes to no share. None
    /// if there are fewer CPUs than shares.
    pub fn of_cpus(self, cpus: &[u32]) -> Option<IdList> {
        let each = cpus.len() / self.shares();
        let first = (self.part as usize - 1) * each;
        IdList::of(cpus[first..first + each].iter().copied())
    }

    /// The share this many steps further on, wrapping around after the last.
    fn after(self, steps: usize) -> Self {
        Self { part: ((self.part as usize - 1 + steps) % self.shares()) as u32 + 1, ..self }
    }
}

impl FromStr for CpuShare {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u32>().ok().filter(|_| !text.starts_with('+'));
        let both = text.split_once('/').and_then(|(part, of)| Some((number(part)?, number(of)?)));
        match both {
            Some((part, of)) if (1..=of).contains(&part) && of <= IdList::LARGEST => Ok(Self { part, of }),
            _ => Err("it is not a share such as 1/2, the first of two halves".to_owned()),
        }
    }
}

impl TryFrom<String> for CpuShare {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<CpuShare> for String {
    fn from(share: CpuShare) -> Self {
        share.to_string()
    }
}

impl fmt::Display for CpuShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

/// CPU quota, in CPUs. Stored in the kernel's unit, so that it can be compared with the value read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct CpuQuota {
    us_per_period: u64,
}

impl CpuQuota {
    /// The kernel's usual period, microseconds.
    pub const PERIOD_US: u64 = 100_000;

    /// CPU time per period, microseconds.
    pub fn us_per_period(self) -> u64 {
        self.us_per_period
    }

    /// CPUs.
    pub fn cpus(self) -> f64 {
        self.us_per_period as f64 / Self::PERIOD_US as f64
    }
}

impl TryFrom<f64> for CpuQuota {
    type Error = String;

    fn try_from(cpus: f64) -> Result<Self, String> {
        // The kernel takes no quota below a millisecond.
        if !(0.01..=f64::from(IdList::LARGEST)).contains(&cpus) {
            return Err(format!("it is a number of CPUs from 0.01 to {}, such as 1.5", IdList::LARGEST));
        }
        Ok(Self { us_per_period: (cpus * Self::PERIOD_US as f64).round() as u64 })
    }
}

impl FromStr for CpuQuota {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse::<f64>().unwrap_or(f64::NAN).try_into()
    }
}

impl From<CpuQuota> for f64 {
    fn from(quota: CpuQuota) -> Self {
        quota.cpus()
    }
}

impl fmt::Display for CpuQuota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cpus().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> String {
        text.parse::<IdList>().expect("a list").to_string()
    }

    #[test]
    fn lists_are_written_as_the_kernel_writes_them() {
        for (given, written) in [("0", "0"), ("0-3,8", "0-3,8"), ("8,1,0,2", "0-2,8"), ("0-1,1-4", "0-4")] {
            assert_eq!(list(given), written);
        }
        for wrong in ["", ",", "0,", "-1", "1-", "3-1", "a", "0 1", "+1", "0-99999", "1.5", "0x1"] {
            assert!(wrong.parse::<IdList>().is_err(), "{wrong}");
        }
        assert_eq!("0-99999".parse::<IdList>().expect_err("too large"), "it names a number above 8191");
    }

    #[test]
    fn every_server_of_a_target_has_a_share_of_its_own() {
        let share = |text: &str| text.parse::<CpuShare>();
        let half = Place { cpu_share: share("1/2").ok(), ..Place::default() };
        let shares: Vec<String> = (0..3).map(|at| half.of_member(at).to_string()).collect();
        assert_eq!(shares, ["cpu-share=1/2", "cpu-share=2/2", "cpu-share=1/2"]);
        assert_eq!(half.of_member(0), half);
        // The machine's order keeps the CPUs of a node together.
        let cpus = [0, 1, 4, 5, 2, 3, 6];
        let of = |text: &str| share(text).expect("a share").of_cpus(&cpus).map(|list| list.to_string());
        assert_eq!((of("1/2"), of("2/2")), (Some("0-1,4".to_owned()), Some("2-3,5".to_owned())));
        assert_eq!((of("7/7"), of("1/8")), (Some("6".to_owned()), None));
        for wrong in ["", "1", "0/2", "3/2", "1/0", "+1/2", "1/2/3", "half", "1/99999"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_quota_is_a_positive_number_of_cpus() {
        let quota: CpuQuota = "1.5".parse().expect("a number");
        assert_eq!((quota.us_per_period(), quota.to_string().as_str()), (150_000, "1.5"));
        assert_eq!("2".parse::<CpuQuota>().expect("a number").to_string(), "2");
        for wrong in ["0", "-1", "nan", "inf", "half", "", "0.001"] {
            assert!(wrong.parse::<CpuQuota>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_place_says_what_is_set_in_the_words_of_the_command_line() {
        let place = Place {
            cpus: "0-1".parse().ok(),
            interleave: "ALL".parse().ok(),
            cpu_quota: "0.5".parse().ok(),
            memory_max_bytes: Some(1536 << 20),
            ..Place::default()
        };
        assert_eq!(place.to_string(), "cpus=0-1 interleave=all cpu-quota=0.5 memory-max=1536M");
        assert!(!place.is_default() && Place::default().is_default());
        assert_eq!(size(1025), "1025");
    }
}
