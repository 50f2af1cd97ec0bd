//! Rules about the version and where it runs.

use super::{Found, Manual, Only, Rule, Severity, release};

pub(super) const RULES: &[Rule] = &[Rule {
    id: "end_of_life",
    only: Only::Both,
    manual: Manual::Releases,
    why: "holes in its security are no longer mended, and what is measured on it will not be run for long",
    action: "plan the move to a long-term series (MySQL 8.4 or 9.7, MariaDB 10.11, 11.4 or 11.8)",
    cost: "a test of the application; statements and defaults that changed",
    check: |p| {
        let series = release::of(p.seen.flavour, p.version())?;
        let (today, end) = (p.today?, series.extended.or(series.end)?);
        (today > end)
            .then(|| {
                let (major, minor) = series.number;
                Found::new(Severity::Medium, format!("series {major}.{minor} got its last fixes on {end}"))
            })
            .flatten()
    },
}];
