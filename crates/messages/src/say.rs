//! Messages as sentences in both languages.

use crate::arg::Arg;
use crate::language::Language;
use crate::words::Words;
use crate::{catalogue, documented};

impl Words {
    /// The message of this id with these arguments. Called by [`message!`](crate::message).
    #[doc(hidden)]
    pub fn of(id: &str, args: Vec<(&str, Arg)>) -> Self {
        if cfg!(debug_assertions) {
            documented::check(id, &args);
        }
        Self {
            en: catalogue::written(Language::English, id, &args),
            zh: catalogue::written(Language::Chinese, id, &args),
            id: Some(id.to_owned()),
            args: (!args.is_empty())
                .then(|| args.into_iter().map(|(name, arg)| (name.to_owned(), arg.json())).collect()),
        }
    }

    /// Clauses as one, with semicolons between them.
    pub fn clauses(mut clauses: Vec<Self>) -> Self {
        match clauses.len() {
            1 => clauses.remove(0),
            _ => Self::of("clauses", vec![("clauses", Arg::Clauses(clauses))]),
        }
    }

    /// Parts of a clause as one, with commas between them.
    pub fn parts(mut parts: Vec<Self>) -> Self {
        match parts.len() {
            1 => parts.remove(0),
            _ => Self::of("parts", vec![("parts", Arg::Parts(parts))]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_that_know_only_the_texts_are_read() {
        let read: Words = serde_json::from_str(r#"{"en": "a", "zh": "b"}"#).unwrap();
        assert_eq!((read.id.as_deref(), &read.args, read.en.as_str()), (None, &None, "a"));
        assert_eq!(serde_json::to_string(&read).unwrap(), r#"{"en":"a","zh":"b"}"#);
    }

    #[test]
    fn a_message_carries_its_id_and_its_arguments_unrounded() {
        let said = crate::message!("steal", share = Percent(0.12345));
        let json = serde_json::to_value(&said).unwrap();
        assert_eq!(json["id"], "steal");
        assert_eq!(json["args"], serde_json::json!({ "share": 0.12345 }));
        assert!(said.en.contains("12 %") && said.zh.contains("12 %"), "{said:?}");
        assert_eq!(serde_json::from_value::<Words>(json).unwrap(), said);
    }
}
