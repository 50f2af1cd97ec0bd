//! A sentence in both languages from two formats that name the same variables.

macro_rules! words {
    ($en:literal, $zh:literal) => {
        $crate::Words::new(format!($en), format!($zh))
    };
}
pub(crate) use words;
