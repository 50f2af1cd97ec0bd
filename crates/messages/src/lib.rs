//! Sentences in English and Simplified Chinese.
//!
//! The code names a message and its arguments; the texts are in the catalogues of the repository, `messages/en` and
//! `messages/zh`, in the syntax of Fluent. A call site knows no language, and a translator no Rust:
//!
//! ```ignore
//! message!("steal", share = Percent(worst))
//! ```
//!
//! The comment above a message of the English catalogue says which arguments it takes and of which type, see [`Arg`]. Tests
//! hold both languages and all call sites to it; a debug build checks each call.

mod arg;
mod catalogue;
mod documented;
mod language;
pub mod number;
mod say;
mod sources;
mod words;

pub use arg::Arg;
pub use documented::{ArgKind, Documented, documented};
pub use language::Language;
pub use words::Words;

/// A message of the catalogues in both languages: its id, then `name = Type(value)` for each argument, where the type is a
/// variant of [`Arg`]. `name = Type?(option)` is an argument that may be absent.
#[macro_export]
macro_rules! message {
    ($id:literal $(, $name:ident = $kind:ident $(? ($optional:expr))? $(($value:expr))?)* $(,)?) => {
        $crate::Words::of($id, vec![$((
            stringify!($name),
            $(($optional).map_or($crate::Arg::Absent, |value| $crate::Arg::$kind(value.into())))?
            $($crate::Arg::$kind(($value).into()))?
        )),*])
    };
}
