//! Release series: which there are, of what kind, and until when they get fixes.
//!
//! MySQL: Oracle's Lifetime Support policy, five years of premier and three of extended support for long-term series;
//! an Innovation release ends with the next one. MariaDB: the maintenance policy of the MariaDB Foundation.

use knowledge::Version;
use model::Flavour;
use serde::Serialize;

use super::Patient;
use crate::Words;
use crate::words::words;

/// What kind of series it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Only fixes, for years.
    LongTerm,
    /// New features, until the next release.
    Short,
    /// Of the time before that distinction.
    BugFix,
}

/// A series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Series {
    /// Major and minor number.
    pub number: (u32, u32),
    /// What kind it is.
    pub kind: Kind,
    /// Last day of fixes for everybody, `2026-04-30`.
    pub end: Option<&'static str>,
    /// Last day of fixes for those who pay for them.
    pub extended: Option<&'static str>,
}

const fn series(
    number: (u32, u32),
    kind: Kind,
    end: Option<&'static str>,
    extended: Option<&'static str>,
) -> Series {
    Series { number, kind, end, extended }
}

/// As known in November 2026. Of 9.7 the policy gives the month.
const MYSQL: &[Series] = &[
    series((5, 5), Kind::BugFix, Some("2015-12-31"), Some("2018-12-31")),
    series((5, 6), Kind::BugFix, Some("2018-02-28"), Some("2021-02-28")),
    series((5, 7), Kind::BugFix, Some("2020-10-31"), Some("2023-10-31")),
    series((8, 0), Kind::BugFix, Some("2025-04-30"), Some("2026-04-30")),
    series((8, 1), Kind::Short, Some("2023-10-25"), None),
    series((8, 2), Kind::Short, Some("2023-12-14"), None),
    series((8, 3), Kind::Short, Some("2024-04-10"), None),
    series((8, 4), Kind::LongTerm, Some("2029-04-30"), Some("2032-04-30")),
    series((9, 0), Kind::Short, Some("2024-10-15"), None),
    series((9, 1), Kind::Short, Some("2025-01-21"), None),
    series((9, 2), Kind::Short, Some("2025-04-15"), None),
    series((9, 3), Kind::Short, Some("2025-07-22"), None),
    series((9, 4), Kind::Short, Some("2025-10-21"), None),
    series((9, 5), Kind::Short, Some("2026-01-20"), None),
    series((9, 6), Kind::Short, Some("2026-04-21"), None),
    series((9, 7), Kind::LongTerm, Some("2031-04-30"), Some("2034-04-30")),
];

/// As known in November 2026. The end of 12.3, a long-term series, could not be verified.
const MARIADB: &[Series] = &[
    series((5, 5), Kind::LongTerm, Some("2020-04-11"), None),
    series((10, 0), Kind::BugFix, Some("2019-03-31"), None),
    series((10, 1), Kind::BugFix, Some("2020-10-17"), None),
    series((10, 2), Kind::BugFix, Some("2022-05-23"), None),
    series((10, 3), Kind::BugFix, Some("2023-05-25"), None),
    series((10, 4), Kind::LongTerm, Some("2024-06-18"), None),
    series((10, 5), Kind::LongTerm, Some("2025-06-24"), None),
    series((10, 6), Kind::LongTerm, Some("2026-07-06"), None),
    series((10, 7), Kind::Short, Some("2023-02-09"), None),
    series((10, 8), Kind::Short, Some("2023-05-20"), None),
    series((10, 9), Kind::Short, Some("2023-08-22"), None),
    series((10, 10), Kind::Short, Some("2023-11-17"), None),
    series((10, 11), Kind::LongTerm, Some("2028-02-16"), None),
    series((11, 0), Kind::Short, Some("2024-06-06"), None),
    series((11, 1), Kind::Short, Some("2024-08-21"), None),
    series((11, 2), Kind::Short, Some("2024-11-21"), None),
    series((11, 3), Kind::Short, Some("2024-05-29"), None),
    series((11, 4), Kind::LongTerm, Some("2029-05-29"), None),
    series((11, 5), Kind::Short, Some("2024-11-21"), None),
    series((11, 6), Kind::Short, Some("2025-02-13"), None),
    series((11, 7), Kind::Short, Some("2025-05-12"), None),
    series((11, 8), Kind::LongTerm, Some("2028-06-04"), None),
    series((12, 0), Kind::Short, Some("2025-11-18"), None),
    series((12, 1), Kind::Short, Some("2026-02-13"), None),
    series((12, 2), Kind::Short, Some("2026-05-13"), None),
    series((12, 3), Kind::LongTerm, None, None),
];

/// The series of a version, if it is known.
pub fn of(flavour: Flavour, version: Version) -> Option<Series> {
    let table = if flavour == Flavour::Mysql { MYSQL } else { MARIADB };
    table.iter().find(|series| series.number == (version.0, version.1)).copied()
}

/// One clause for the head of a note.
pub fn describe(patient: &Patient<'_>) -> Words {
    let version = patient.version();
    let Some(series) = of(patient.seen.flavour, version) else {
        let (major, minor, _) = version;
        return words!(
            "series {major}.{minor}, its end of life is unknown here",
            "{major}.{minor} 系列，停止维护的日期未知"
        );
    };
    let kind = match (series.kind, patient.seen.flavour) {
        (Kind::LongTerm, _) => words!("LTS", "长期支持版"),
        (Kind::Short, Flavour::Mysql) => words!("Innovation release", "创新版"),
        (Kind::Short, Flavour::Mariadb) => words!("short-term release", "短期版"),
        (Kind::BugFix, _) => words!("bug-fix series", "旧式修复系列"),
    };
    let past = |day: &str| patient.today.is_some_and(|today| today > day);
    let end = match (series.end, series.extended) {
        (Some(end), Some(extended)) if past(end) && past(extended) => words!(
            "premier support ended {end}, extended support ended {extended}",
            "主要支持已于 {end} 结束，延长支持已于 {extended} 结束"
        ),
        (Some(end), Some(extended)) if past(end) => words!(
            "premier support ended {end}, extended support ends {extended}",
            "主要支持已于 {end} 结束，延长支持到 {extended}"
        ),
        (Some(end), Some(extended)) => words!(
            "premier support until {end}, extended until {extended}",
            "主要支持到 {end}，延长支持到 {extended}"
        ),
        (Some(end), None) if past(end) => words!("end of life was {end}", "已于 {end} 停止维护"),
        (Some(end), None) => words!("maintained until {end}", "维护到 {end}"),
        (None, _) => words!("its end of life is unknown here", "停止维护的日期未知"),
    };
    Words::join(&[kind, end], ", ", "，")
}
