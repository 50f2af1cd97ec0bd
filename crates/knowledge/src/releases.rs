//! Release series: which there are, of what kind, and until when they get fixes.
//!
//! The page is `knowledge/releases.toml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use model::Flavour;
use serde::Deserialize;
use toml::value::Datetime;

use crate::page::{Source, source};
use crate::version::{Version, written};
use messages::{Words, message};

/// The kind of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleaseKind {
    /// Only fixes, for years.
    LongTerm,
    /// New features, until the next release.
    Short,
    /// A series from before that distinction.
    BugFix,
}

/// A series.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Series {
    /// Its kind.
    pub kind: ReleaseKind,
    /// Last day of fixes for everybody, `2026-04-30`.
    pub end: Option<String>,
    /// Last day of fixes for those who pay for them.
    pub extended: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: ReleaseKind,
    end: Option<Datetime>,
    extended: Option<Datetime>,
}

impl TryFrom<Written> for Series {
    type Error = String;

    fn try_from(said: Written) -> Result<Self, String> {
        let day = |day: Option<Datetime>| match day {
            Some(day) if day.date.is_none() || day.time.is_some() => Err(format!("{day} is not a day")),
            day => Ok(day.map(|day| day.to_string())),
        };
        Ok(Self { kind: said.kind, end: day(said.end)?, extended: day(said.extended)? })
    }
}

/// The page: series by `major.minor`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    mysql: BTreeMap<Number, Series>,
    mariadb: BTreeMap<Number, Series>,
}

/// Major and minor number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
struct Number(u32, u32);

impl TryFrom<String> for Number {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        written(&text).map(|(major, minor, _)| Self(major, minor))
    }
}

const PAGE: Source = source!("releases.toml");

/// The series of a version, if it is known.
pub fn of(flavour: Flavour, version: Version) -> Option<&'static Series> {
    static SERIES: OnceLock<Page> = OnceLock::new();
    let page = SERIES.get_or_init(|| PAGE.parsed());
    let series = if flavour == Flavour::Mysql { &page.mysql } else { &page.mariadb };
    series.get(&Number(version.0, version.1))
}

/// One clause for the head of a note.
pub fn describe(flavour: Flavour, version: Version, today: Option<&str>) -> Words {
    let Some(series) = of(flavour, version) else {
        let (major, minor, _) = version;
        return message!(
            "doctor-series-unknown",
            major = Text(major.to_string()),
            minor = Text(minor.to_string())
        );
    };
    let kind = match (series.kind, flavour) {
        (ReleaseKind::LongTerm, _) => message!("doctor-series-lts"),
        (ReleaseKind::Short, Flavour::Mysql) => message!("doctor-series-innovation"),
        (ReleaseKind::Short, Flavour::Mariadb) => message!("doctor-series-short"),
        (ReleaseKind::BugFix, _) => message!("doctor-series-bug-fix"),
    };
    let past = |day: &str| today.is_some_and(|today| today > day);
    let end = match (&series.end, &series.extended) {
        (Some(end), Some(extended)) if past(end) && past(extended) => {
            message!("doctor-support-all-ended", end = Text(end.as_str()), extended = Text(extended.as_str()))
        }
        (Some(end), Some(extended)) if past(end) => message!(
            "doctor-support-premier-ended",
            end = Text(end.as_str()),
            extended = Text(extended.as_str())
        ),
        (Some(end), Some(extended)) => {
            message!("doctor-support", end = Text(end.as_str()), extended = Text(extended.as_str()))
        }
        (Some(end), None) if past(end) => message!("doctor-maintenance-ended", end = Text(end.as_str())),
        (Some(end), None) => message!("doctor-maintenance", end = Text(end.as_str())),
        (None, _) => message!("doctor-end-unknown"),
    };
    Words::parts(vec![kind, end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_can_be_read() {
        if let Err(mistake) = PAGE.parse::<Page>() {
            panic!("{mistake}");
        }
    }
}
