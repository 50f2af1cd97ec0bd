//! Values of columns and parameters, drawn from what is said of them.

use std::io::Write;

use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Unit};

use crate::text::fill_letters;
use crate::{Keys, Rng, fill_digits};

/// What values are drawn from, ready to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueSource(Kind);

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Int(i64),
    Text(Vec<u8>),
    Range { keys: Keys, from: i64, to: i64 },
    Sequence { from: i64 },
    Unique { start: u64 },
    Pattern(Vec<u8>),
    Letters { from: u64, to: u64 },
    Bytes { from: u64, to: u64 },
    Words { words: Vec<Vec<u8>>, up_to: Vec<u64> },
    Decimal { from: i64, to: i64, digits: u32 },
    Time { from: DateTime, seconds: u64, days_only: bool },
    Uuid,
    Json(Vec<(String, ValueSource)>),
    Client,
    Maybe { null: f64, of: Box<ValueSource> },
}

/// A drawn value. All but the first two are in the buffer that it was drawn into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// NULL.
    Null,
    /// A whole number.
    Int(i64),
    /// A number with digits after the point.
    Decimal,
    /// Text in UTF-8.
    Text,
    /// Bytes that are no text.
    Bytes,
}

/// The circumstances of a draw, for sources that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DrawAt {
    /// How many values were drawn from it before, by all who draw: the number of a row, from 0.
    pub number: u64,
    /// The client, from 1; 0 while tables are loaded.
    pub client: u32,
}

impl ValueSource {
    /// Always this number.
    pub fn int(value: i64) -> Self {
        Self(Kind::Int(value))
    }

    /// Always this text.
    pub fn text(value: &str) -> Self {
        Self(Kind::Text(value.as_bytes().to_vec()))
    }

    /// Whole numbers `from..=to`.
    pub fn range(keys: Keys, from: i64, to: i64) -> Self {
        Self(Kind::Range { keys, from, to })
    }

    /// `from`, `from + 1`, and so on.
    pub fn sequence(from: i64) -> Self {
        Self(Kind::Sequence { from })
    }

    /// Numbers of 63 bits in no order that never repeat; `start` is how many were drawn elsewhere.
    pub fn unique(start: u64) -> Self {
        Self(Kind::Unique { start })
    }

    /// A pattern in which `#` is a digit and `@` a letter.
    pub fn pattern(pattern: &str) -> Self {
        Self(Kind::Pattern(pattern.as_bytes().to_vec()))
    }

    /// From `from` to `to` letters, every length equally likely.
    pub fn letters(from: u32, to: u32) -> Self {
        Self(Kind::Letters { from: from.into(), to: to.into() })
    }

    /// From `from` to `to` bytes, every length equally likely.
    pub fn bytes(from: u32, to: u32) -> Self {
        Self(Kind::Bytes { from: from.into(), to: to.into() })
    }

    /// One of some words, each as often as its weight says; missing weights are 1.
    pub fn words(words: &[String], weights: &[u32]) -> Self {
        let mut sum = 0;
        let weight = |at: usize| u64::from(weights.get(at).copied().unwrap_or(1));
        let up_to = (0..words.len())
            .map(|at| {
                sum += weight(at);
                sum
            })
            .collect();
        Self(Kind::Words { words: words.iter().map(|word| word.as_bytes().to_vec()).collect(), up_to })
    }

    /// Numbers `from..=to` in units of the last of their `digits` after the point.
    pub fn decimal(from: i64, to: i64, digits: u32) -> Self {
        Self(Kind::Decimal { from, to, digits })
    }

    /// Days `from..=to`, written `2024-12-31`.
    ///
    /// # Errors
    /// One of them is no date, or they are in the wrong order.
    pub fn dates(from: &str, to: &str) -> Result<Self, String> {
        let date = |text: &str| {
            text.parse::<Date>().map_err(|_| format!("'{text}' is not a date such as 2024-12-31"))
        };
        Self::between(date(from)?.into(), date(to)?.into(), true)
    }

    /// Seconds `from..=to`, written `2024-12-31 23:59:59`.
    ///
    /// # Errors
    /// One of them is no such time, or they are in the wrong order.
    pub fn times(from: &str, to: &str) -> Result<Self, String> {
        let time = |text: &str| {
            text.parse::<DateTime>()
                .map_err(|_| format!("'{text}' is not a time such as 2024-12-31 23:59:59"))
        };
        Self::between(time(from)?, time(to)?, false)
    }

    fn between(from: DateTime, to: DateTime, days_only: bool) -> Result<Self, String> {
        let unit = if days_only { Unit::Day } else { Unit::Second };
        let length = from.until((unit, to)).map_err(|error| error.to_string())?;
        let seconds = if days_only { i64::from(length.get_days()) * 86_400 } else { length.get_seconds() };
        let seconds = u64::try_from(seconds).map_err(|_| "the first is later than the last".to_owned())?;
        Ok(Self(Kind::Time { from, seconds, days_only }))
    }

    /// Random UUIDs (version 4).
    pub fn uuid() -> Self {
        Self(Kind::Uuid)
    }

    /// JSON objects with these members.
    pub fn json(members: Vec<(String, Self)>) -> Self {
        Self(Kind::Json(members))
    }

    /// The number of the client.
    pub fn client() -> Self {
        Self(Kind::Client)
    }

    /// NULL with a probability.
    #[must_use]
    pub fn or_null(self, null: f64) -> Self {
        if null > 0.0 { Self(Kind::Maybe { null, of: Box::new(self) }) } else { self }
    }

    /// Whether it depends on how many values were drawn before.
    pub fn counts(&self) -> bool {
        match &self.0 {
            Kind::Sequence { .. } | Kind::Unique { .. } => true,
            Kind::Json(members) => members.iter().any(|(_, of)| of.counts()),
            Kind::Maybe { of, .. } => of.counts(),
            _ => false,
        }
    }

    /// Draws a value. What is not a number is written into `out`, which is emptied first.
    pub fn draw(&self, rng: &mut Rng, at: DrawAt, out: &mut Vec<u8>) -> Drawn {
        out.clear();
        self.append(rng, at, out)
    }

    fn append(&self, rng: &mut Rng, at: DrawAt, out: &mut Vec<u8>) -> Drawn {
        match &self.0 {
            Kind::Int(value) => Drawn::Int(*value),
            Kind::Text(text) => {
                out.extend_from_slice(text);
                Drawn::Text
            }
            Kind::Range { keys, from, to } => Drawn::Int(in_range(keys, rng, *from, *to)),
            Kind::Sequence { from } => Drawn::Int(from.wrapping_add_unsigned(at.number)),
            Kind::Unique { start } => Drawn::Int(scattered(start.wrapping_add(at.number))),
            Kind::Pattern(pattern) => {
                let begin = out.len();
                out.resize(begin + pattern.len(), 0);
                fill_digits(pattern, &mut out[begin..], rng);
                Drawn::Text
            }
            Kind::Letters { from, to } => {
                let begin = out.len();
                let length = usize::try_from(from + rng.below(to - from + 1)).unwrap_or(0);
                out.resize(begin + length, 0);
                fill_letters(&mut out[begin..], rng);
                Drawn::Text
            }
            Kind::Bytes { from, to } => {
                let mut left = usize::try_from(from + rng.below(to - from + 1)).unwrap_or(0);
                while left > 0 {
                    let eight = rng.next_u64().to_le_bytes();
                    let taken = left.min(eight.len());
                    out.extend_from_slice(&eight[..taken]);
                    left -= taken;
                }
                Drawn::Bytes
            }
            Kind::Words { words, up_to } => {
                let drawn = rng.below(up_to.last().copied().unwrap_or(0));
                let chosen = up_to.partition_point(|up_to| *up_to <= drawn);
                out.extend_from_slice(words.get(chosen).map_or(&[][..], Vec::as_slice));
                Drawn::Text
            }
            Kind::Decimal { from, to, digits } => {
                let units = from.wrapping_add_unsigned(rng.below(to.abs_diff(*from) + 1));
                decimal(units, *digits, out);
                Drawn::Decimal
            }
            Kind::Time { from, seconds, days_only } => {
                time(*from, *seconds, *days_only, rng, out);
                Drawn::Text
            }
            Kind::Uuid => {
                uuid(rng, out);
                Drawn::Text
            }
            Kind::Json(members) => {
                json(members, rng, at, out);
                Drawn::Text
            }
            Kind::Client => Drawn::Int(at.client.into()),
            Kind::Maybe { null, of } => {
                // Drawn in any case, so that the share of NULLs does not change the values between them.
                let is_null = rng.uniform_f64() < *null;
                let drawn = of.append(rng, at, out);
                if is_null { Drawn::Null } else { drawn }
            }
        }
    }
}

fn in_range(keys: &Keys, rng: &mut Rng, from: i64, to: i64) -> i64 {
    from.wrapping_add_unsigned(keys.draw(rng, 0, to.abs_diff(from)))
}

/// A permutation of the numbers of 63 bits: splitmix64's, drawn again until the highest bit is clear.
fn scattered(number: u64) -> i64 {
    let mut mixed = number & (u64::MAX >> 1);
    loop {
        mixed = crate::xoshiro::mix(mixed);
        if let Ok(value) = i64::try_from(mixed) {
            return value;
        }
    }
}

fn decimal(units: i64, digits: u32, out: &mut Vec<u8>) {
    let scale = 10u64.pow(digits.min(18));
    let size = units.unsigned_abs();
    let sign = if units < 0 { "-" } else { "" };
    let (whole, fraction) = (size / scale, size % scale);
    let written = match digits {
        0 => write!(out, "{sign}{whole}"),
        digits => write!(out, "{sign}{whole}.{fraction:0width$}", width = digits as usize),
    };
    written.expect("a vector takes every byte");
}

fn time(from: DateTime, seconds: u64, days_only: bool, rng: &mut Rng, out: &mut Vec<u8>) {
    let after = match days_only {
        true => rng.below(seconds / 86_400 + 1) * 86_400,
        false => rng.below(seconds + 1),
    };
    let after = SignedDuration::from_secs(i64::try_from(after).unwrap_or(0));
    let drawn = from.saturating_add(after);
    let written = match days_only {
        true => write!(out, "{}", drawn.date()),
        false => write!(out, "{} {}", drawn.date(), drawn.time()),
    };
    written.expect("a vector takes every byte");
}

fn uuid(rng: &mut Rng, out: &mut Vec<u8>) {
    let (high, low) = (rng.next_u64(), rng.next_u64());
    // RFC 9562, section 5.4: version 4, variant 10.
    let high = high & 0xffff_ffff_ffff_0fff | 0x4000;
    let low = low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000;
    let written = write!(
        out,
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    );
    written.expect("a vector takes every byte");
}

fn json(members: &[(String, ValueSource)], rng: &mut Rng, at: DrawAt, out: &mut Vec<u8>) {
    let mut value = Vec::new();
    out.push(b'{');
    for (index, (name, source)) in members.iter().enumerate() {
        if index > 0 {
            out.extend_from_slice(b", ");
        }
        json_text(name, out);
        out.extend_from_slice(b": ");
        match source.draw(rng, at, &mut value) {
            Drawn::Null => out.extend_from_slice(b"null"),
            Drawn::Int(value) => write!(out, "{value}").expect("a vector takes every byte"),
            Drawn::Decimal => out.extend_from_slice(&value),
            Drawn::Text if value.first() == Some(&b'{') && matches!(source.0, Kind::Json(_)) => {
                out.extend_from_slice(&value);
            }
            Drawn::Text | Drawn::Bytes => json_text(&String::from_utf8_lossy(&value), out),
        }
    }
    out.push(b'}');
}

fn json_text(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for c in text.chars() {
        let written = match c {
            '"' | '\\' => write!(out, "\\{c}"),
            c if u32::from(c) < 0x20 => write!(out, "\\u{:04x}", u32::from(c)),
            c => write!(out, "{c}"),
        };
        written.expect("a vector takes every byte");
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn draws(source: &ValueSource, number: u64) -> Vec<(Drawn, String)> {
        let (mut rng, mut out) = (Rng::from_seed(1), Vec::new());
        let draw = |number| {
            let drawn = source.draw(&mut rng, DrawAt { number, client: 7 }, &mut out);
            (drawn, String::from_utf8_lossy(&out).into_owned())
        };
        (0..number).map(draw).collect()
    }

    fn texts(source: &ValueSource) -> Vec<String> {
        draws(source, 2_000).into_iter().map(|(_, text)| text).collect()
    }

    fn ints(source: &ValueSource) -> Vec<i64> {
        let int = |(drawn, _)| match drawn {
            Drawn::Int(value) => value,
            other => panic!("{other:?} is no whole number"),
        };
        draws(source, 2_000).into_iter().map(int).collect()
    }

    #[test]
    fn ranges_reach_both_ends_and_no_further() {
        let drawn: BTreeSet<i64> = ints(&ValueSource::range(Keys::uniform(), -3, 4)).into_iter().collect();
        assert_eq!(drawn, (-3..=4).collect());
        let whole = ValueSource::range(Keys::uniform(), i64::MIN, i64::MAX);
        assert!(ints(&whole).iter().any(|value| *value < 0));
        let hot = ints(&ValueSource::range(Keys::zipfian(1.2, 1_000), 1, 1_000));
        assert!(hot.iter().filter(|value| **value == 1).count() > 200);
    }

    #[test]
    fn numbers_in_order_and_in_none() {
        assert_eq!(ints(&ValueSource::sequence(10))[..3], [10, 11, 12]);
        let first: BTreeSet<i64> = ints(&ValueSource::unique(0)).into_iter().collect();
        let more: BTreeSet<i64> = ints(&ValueSource::unique(2_000)).into_iter().collect();
        assert_eq!((first.len(), first.intersection(&more).count()), (2_000, 0));
        assert!(first.iter().all(|value| *value >= 0));
        assert_eq!(ints(&ValueSource::client())[0], 7);
    }

    #[test]
    fn texts_have_their_shape() {
        assert!(texts(&ValueSource::pattern("##-@@")).iter().all(|text| {
            let bytes = text.as_bytes();
            bytes.len() == 5 && bytes[0].is_ascii_digit() && bytes[2] == b'-' && bytes[4].is_ascii_lowercase()
        }));
        let lengths: BTreeSet<usize> = texts(&ValueSource::letters(0, 3)).iter().map(String::len).collect();
        assert_eq!(lengths, (0..=3).collect());
        let uuids: BTreeSet<String> = texts(&ValueSource::uuid()).into_iter().collect();
        assert!(uuids.len() == 2_000 && uuids.iter().all(|one| one.len() == 36 && &one[14..15] == "4"));
    }

    #[test]
    fn decimals_and_times_stay_within_their_bounds() {
        let decimals = texts(&ValueSource::decimal(-5, 5, 2));
        assert!(
            decimals.contains(&"-0.05".to_owned()) && decimals.contains(&"0.05".to_owned()),
            "{decimals:?}"
        );
        let days: BTreeSet<String> =
            texts(&ValueSource::dates("2024-02-28", "2024-03-01").expect("valid")).into_iter().collect();
        assert_eq!(days.into_iter().collect::<Vec<_>>(), ["2024-02-28", "2024-02-29", "2024-03-01"]);
        let times = texts(&ValueSource::times("2024-12-31 23:59:58", "2025-01-01 00:00:01").expect("valid"));
        let times: BTreeSet<String> = times.into_iter().collect();
        assert_eq!(times.len(), 4);
        assert!(times.contains("2024-12-31 23:59:58") && times.contains("2025-01-01 00:00:01"), "{times:?}");
        assert!(ValueSource::dates("2024-02-30", "2024-03-01").is_err());
        assert!(ValueSource::dates("2024-03-02", "2024-03-01").is_err());
    }

    #[test]
    fn words_come_as_often_as_they_weigh() {
        let words = ["new", "paid", "never"].map(str::to_owned);
        let drawn = texts(&ValueSource::words(&words, &[1, 3, 0]));
        let of = |word: &str| drawn.iter().filter(|text| *text == word).count();
        assert!((400..600).contains(&of("new")) && of("never") == 0 && of("new") + of("paid") == 2_000);
    }

    #[test]
    fn a_share_is_null() {
        let all = draws(&ValueSource::int(5).or_null(0.25), 4_000);
        let nulls = all.iter().filter(|(drawn, _)| *drawn == Drawn::Null).count();
        assert!((850..1_150).contains(&nulls), "{nulls}");
    }

    #[test]
    fn json_is_escaped() {
        let inner = ValueSource::json(vec![("x".to_owned(), ValueSource::decimal(150, 150, 2))]);
        let members = vec![
            ("n".to_owned(), ValueSource::int(3)),
            ("t".to_owned(), ValueSource::text("a \"b\" \\ \n")),
            ("o".to_owned(), inner),
            ("z".to_owned(), ValueSource::int(1).or_null(1.0)),
        ];
        assert_eq!(
            draws(&ValueSource::json(members), 1)[0].1,
            r#"{"n": 3, "t": "a \"b\" \\ \u000a", "o": {"x": 1.50}, "z": null}"#
        );
    }

    #[test]
    fn bytes_have_their_length() {
        let (mut rng, mut out) = (Rng::from_seed(3), Vec::new());
        for _ in 0..100 {
            assert_eq!(ValueSource::bytes(11, 11).draw(&mut rng, DrawAt::default(), &mut out), Drawn::Bytes);
            assert_eq!(out.len(), 11);
        }
    }
}
