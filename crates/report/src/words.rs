//! Languages of a report, and picking one.

use analysis::Words;
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

    /// One of two versions of a label.
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

/// What others found, likewise.
pub fn published(about: &About, lang: Lang) -> Option<&str> {
    let published = about.published.as_ref()?;
    Some(lang.pick(published, about.published_zh.as_ref().unwrap_or(published)))
}
