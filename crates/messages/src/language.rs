//! The languages of the catalogues.

/// A language of the catalogues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// Both.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// The text in this language.
    pub(crate) fn pick<T>(self, en: T, zh: T) -> T {
        match self {
            Self::English => en,
            Self::Chinese => zh,
        }
    }
}
