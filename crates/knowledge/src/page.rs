//! Pages of knowledge: TOML files, embedded.

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// An embedded page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source {
    /// Its path in the repository.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The page of that path below `knowledge/`.
macro_rules! source {
    ($path:literal) => {
        $crate::page::Source {
            file: concat!("knowledge/", $path),
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../knowledge/", $path)),
        }
    };
}
pub(crate) use source;

/// A mistake in a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {what}")]
pub struct Mistake {
    /// The page.
    pub file: &'static str,
    /// Line on which it begins, from 1.
    pub line: usize,
    /// Description of the mistake.
    pub what: String,
}

impl Source {
    /// Reads the page.
    pub fn parse<T: DeserializeOwned>(self) -> Result<T, Mistake> {
        toml::from_str(self.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = self.text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
            Mistake { file: self.file, line, what: error.message().to_owned() }
        })
    }

    /// The parsed page, where a mistake is impossible: a test of this crate reads every page.
    pub fn parsed<T: DeserializeOwned>(self) -> T {
        self.parse().unwrap_or_else(|mistake| panic!("{mistake}"))
    }
}

/// A text of a page in both languages: a clause, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Text {
    /// English.
    pub en: String,
    /// Simplified Chinese.
    pub zh: String,
}

impl From<&Text> for messages::Words {
    fn from(text: &Text) -> Self {
        Self::new(text.en.clone(), text.zh.clone())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    en: String,
    zh: String,
}

impl TryFrom<Written> for Text {
    type Error = String;

    fn try_from(Written { en, zh }: Written) -> Result<Self, String> {
        let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        for text in [&en, &zh] {
            if text.trim().is_empty() {
                return Err("a text is empty".to_owned());
            }
            if text.ends_with(['.', '。']) && !text.ends_with("...") {
                return Err(format!("\"{text}\" ends with a full stop, and a clause has none"));
            }
        }
        if is_chinese(&en) {
            return Err(format!("\"{en}\" is not English"));
        }
        // A statement or setting is the same in every language.
        if !is_chinese(&zh) && zh != en {
            return Err(format!("\"{zh}\" is not Chinese"));
        }
        Ok(Self { en, zh })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_mistake_is_reported_with_file_and_line() {
        let said = |text: &'static str| {
            let page = Source { file: "knowledge/some.toml", text };
            page.parse::<BTreeMap<String, Text>>().map_err(|mistake| mistake.to_string())
        };
        assert!(said("a.en = \"on\"\na.zh = \"开启\"\n").is_ok());
        assert_eq!(
            said("a.en = \"on\"\na.zh = \"开启\"\n\nb.en = \"off\"\nb.zh = \"off, too\"\n"),
            Err("knowledge/some.toml, line 4: \"off, too\" is not Chinese".to_owned())
        );
        let unknown = said("\n[a]\nen = \"on\"\nzh = \"开启\"\nde = \"an\"\n").unwrap_err();
        assert!(unknown.starts_with("knowledge/some.toml, line 5: unknown field `de`"), "{unknown}");
        let cut = said("a.en = \"on").unwrap_err();
        assert!(cut.starts_with("knowledge/some.toml, line 1: "), "{cut}");
    }
}
