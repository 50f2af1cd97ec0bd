//! The embedded files of the catalogues.

use crate::language::Language;

macro_rules! themes {
    ($($name:literal),* $(,)?) => {
        &[$((
            $name,
            include_str!(concat!("../../../messages/en/", $name, ".ftl")),
            include_str!(concat!("../../../messages/zh/", $name, ".ftl")),
        )),*]
    };
}

/// Name, English and Chinese of each file. `page.ftl`, of which the page reads its labels, is none of them.
pub(crate) const THEMES: &[(&str, &str, &str)] = themes![
    "answer",
    "bisect",
    "capacity",
    "crash",
    "caveats",
    "colocation",
    "compare",
    "console",
    "curves",
    "doctor",
    "doubts",
    "events",
    "failover",
    "general",
    "history",
    "load",
    "method",
    "names",
    "over-time",
    "plan",
    "profile",
    "prove",
    "targets",
    "versions",
    "where"
];

/// The files of a language, each with its name.
pub(crate) fn sources(language: Language) -> impl Iterator<Item = (&'static str, &'static str)> {
    THEMES.iter().map(move |(name, en, zh)| (*name, language.pick(*en, *zh)))
}
