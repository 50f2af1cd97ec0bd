//! Languages of a report, and picking one.

use analysis::Words;
use messages::message;
use model::About;
use serde::{Deserialize, Serialize};

/// A language of the report.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// A sentence in this language.
    pub fn of(self, words: &Words) -> &str {
        self.pick(&words.en, &words.zh)
    }

    /// The text of a message in this language.
    pub fn said(self, words: Words) -> String {
        match self {
            Self::En => words.en,
            Self::Zh => words.zh,
        }
    }

    /// The heading of a column, one of those in the catalogue.
    pub fn column(self, column: &str) -> String {
        self.said(message!("column", column = Word(column)))
    }

    /// The heading of a part of a report, in this language.
    pub(crate) fn heading(self, heading: &str) -> String {
        self.said(message!("heading", heading = Word(heading)))
    }

    /// The text in this language.
    pub fn pick<'a>(self, en: &'a str, zh: &'a str) -> &'a str {
        match self {
            Self::En => en,
            Self::Zh => zh,
        }
    }
}

/// The question of an experiment, in this language where it was translated.
pub fn question(about: &About, lang: Lang) -> &str {
    lang.pick(&about.question, about.question_zh.as_ref().unwrap_or(&about.question))
}

/// The published results, in this language.
pub fn published(about: &About, lang: Lang) -> Option<&str> {
    let published = about.published.as_ref()?;
    Some(lang.pick(published, about.published_zh.as_ref().unwrap_or(published)))
}
