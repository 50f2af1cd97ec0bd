//! Sentences in both languages of the report.
//!
//! A view carries every sentence twice, so that the page can switch language without asking the program again and a
//! reader of the JSON needs no dictionary. Messages of servers stay as the server wrote them.

use serde::{Deserialize, Serialize};

/// A language of the report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

/// One sentence, in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// English.
    pub en: String,
    /// Simplified Chinese.
    pub zh: String,
}

impl Words {
    /// A sentence from its two versions.
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self { en: en.into(), zh: zh.into() }
    }

    /// Text that has only one version, such as a message from a server.
    pub fn verbatim(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { en: text.clone(), zh: text }
    }

    /// The version for a language.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Zh => &self.zh,
        }
    }
}
