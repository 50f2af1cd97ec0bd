//! Sentences in both languages of a report.
//!
//! Whoever judges also words the judgement, in English and in Simplified Chinese, so that no renderer has to guess what
//! a number means. Messages of servers stay as the server wrote them.

use knowledge::Text;
use serde::{Deserialize, Serialize};

/// One sentence, in both languages.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// English.
    pub en: String,
    /// Simplified Chinese.
    pub zh: String,
}

/// What needs no translation: settings with their values, statements.
impl From<String> for Words {
    fn from(text: String) -> Self {
        Self { zh: text.clone(), en: text }
    }
}

/// What is known of MySQL is in both languages.
impl From<&Text> for Words {
    fn from(text: &Text) -> Self {
        Self::new(text.en.clone(), text.zh.clone())
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        Self::new(text, text)
    }
}

/// A sentence in both languages from two formats that name the same variables.
macro_rules! words {
    ($en:literal, $zh:literal) => {
        $crate::Words::new(format!($en), format!($zh))
    };
}
pub(crate) use words;

impl Words {
    /// A sentence from its two versions.
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self { en: en.into(), zh: zh.into() }
    }

    /// Several sentences or clauses as one.
    pub fn join(parts: &[Self], en_joint: &str, zh_joint: &str) -> Self {
        let pick =
            |pick: fn(&Self) -> &str, joint: &str| parts.iter().map(pick).collect::<Vec<_>>().join(joint);
        Self { en: pick(|w| &w.en, en_joint), zh: pick(|w| &w.zh, zh_joint) }
    }

    /// This and then that, without a gap.
    pub fn and(mut self, more: &Self) -> Self {
        self.en.push_str(&more.en);
        self.zh.push_str(&more.zh);
        self
    }
}
