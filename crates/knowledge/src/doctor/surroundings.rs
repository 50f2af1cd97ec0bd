//! Rules about the version and where it runs.

use messages::message;

use super::finding::{Check, Found, RecommendationSeverity};
use crate::releases;

pub(super) const CHECKS: &[(&str, Check)] = &[("end_of_life", |p| {
    let series = releases::of(p.seen.flavour, p.version())?;
    let (today, end) = (p.today?, series.extended.as_ref().or(series.end.as_ref())?);
    (today > end.as_str())
        .then(|| {
            let (major, minor, _) = p.version();
            let said = message!(
                "doctor-last-fixes",
                major = Text(major.to_string()),
                minor = Text(minor.to_string()),
                end = Text(end.as_str())
            );
            Found::new(RecommendationSeverity::Medium, said)
        })
        .flatten()
})];
