//! Transactions counted by their GTIDs.

use std::collections::BTreeMap;

/// A set as MySQL writes it: `3E11FA47-...:1-23:tag:1-5,\n...`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct GtidSet {
    /// First and last number of each interval, by server and tag.
    intervals: BTreeMap<String, Vec<(u64, u64)>>,
}

impl GtidSet {
    /// Parses a set. Invalid intervals are left out.
    pub fn parse(text: &str) -> Self {
        let mut set = Self::default();
        for server in text.split(',') {
            let mut parts = server.trim().split(':');
            let Some(uuid) = parts.next().map(str::to_ascii_lowercase) else { continue };
            let mut key = uuid.clone();
            for part in parts {
                let (first, last) = part.split_once('-').unwrap_or((part, part));
                match (first.trim().parse(), last.trim().parse()) {
                    (Ok(first), Ok(last)) => {
                        set.intervals.entry(key.clone()).or_default().push((first, last));
                    }
                    // A tag begins with a letter or an underscore (MySQL 8.3).
                    _ => key = format!("{uuid}:{}", part.trim().to_ascii_lowercase()),
                }
            }
        }
        set
    }

    /// Transactions in it.
    pub fn count(&self) -> u64 {
        self.intervals.values().flatten().map(|(first, last)| (last + 1).saturating_sub(*first)).sum()
    }

    /// The number of its transactions that are not in `other`.
    pub fn missing_in(&self, other: &Self) -> u64 {
        let shared = |(key, own): (&String, &Vec<(u64, u64)>)| -> u64 {
            let theirs = other.intervals.get(key).map(Vec::as_slice).unwrap_or_default();
            let overlap = |a: &(u64, u64), b: &(u64, u64)| (a.1.min(b.1) + 1).saturating_sub(a.0.max(b.0));
            own.iter().flat_map(|a| theirs.iter().map(move |b| overlap(a, b))).sum()
        };
        self.count() - self.intervals.iter().map(shared).sum::<u64>().min(self.count())
    }
}

/// A position as MariaDB writes it, `0-1-270,1-2-5`: the newest sequence number of each domain.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct GtidPosition {
    newest: BTreeMap<u32, u64>,
}

impl GtidPosition {
    /// Parses a position. Invalid GTIDs are left out.
    pub fn parse(text: &str) -> Self {
        let one = |gtid: &str| {
            let mut parts = gtid.trim().split('-');
            let (domain, _server, number) = (parts.next()?, parts.next()?, parts.next()?);
            Some((domain.parse().ok()?, number.parse().ok()?))
        };
        Self { newest: text.split(',').filter_map(one).collect() }
    }

    /// Transactions up to it.
    pub fn count(&self) -> u64 {
        self.newest.values().sum()
    }

    /// The number of transactions that `other` is behind.
    pub fn missing_in(&self, other: &Self) -> u64 {
        let behind = |(domain, newest): (&u32, &u64)| {
            newest.saturating_sub(other.newest.get(domain).copied().unwrap_or_default())
        };
        self.newest.iter().map(behind).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    const B: &str = "4350f323-7565-4e59-8763-4b1b83a0ce0e";

    #[test]
    fn transactions_of_a_set_are_counted() {
        let counted = |text: &str| GtidSet::parse(text).count();
        assert_eq!(counted(""), 0);
        assert_eq!(counted(&format!("{A}:7")), 1);
        assert_eq!(counted(&format!("{A}:1-3:11:47-49,\n{B}:1-20")), 27);
        assert_eq!(counted(&format!("{A}:1-3:backup:1-5:9:other:2")), 10);
    }

    #[test]
    fn what_was_received_and_not_applied_is_counted() {
        let received = GtidSet::parse(&format!("{A}:5-100:backup:1-4"));
        let missing = |applied: String| received.missing_in(&GtidSet::parse(&applied));
        assert_eq!(missing(String::new()), 100);
        assert_eq!(missing(format!("{A}:1-90:backup:1-4")), 10);
        assert_eq!(missing(format!("{A}:1-20:31-100,\n{B}:1-9")), 14);
        assert_eq!(missing(format!("{}:1-200:backup:1-9", A.to_uppercase())), 0);
    }

    #[test]
    fn positions_of_mariadb_differ_by_domain() {
        let received = GtidPosition::parse("0-1-270,1-2-50");
        assert_eq!(received.count(), 320);
        assert_eq!(received.missing_in(&GtidPosition::parse("0-1-250,1-2-60")), 20);
        assert_eq!(received.missing_in(&GtidPosition::parse("")), 320);
        assert_eq!(GtidPosition::parse("nonsense"), GtidPosition::default());
    }
}
