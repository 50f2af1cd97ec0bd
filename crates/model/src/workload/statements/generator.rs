//! What the value of a column or a parameter is drawn from.

use std::collections::BTreeMap;

use random::{DrawAt, Drawn, Keys, Rng, ValueSource};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// Rows of the tables of a workload, by name.
pub type TableSizes = BTreeMap<String, u64>;

/// A value written as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// `true` and `false` are 1 and 0.
    Switch(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
}

/// How a number of a range, or a row of a table, is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Chosen {
    Uniform,
    Zipfian,
    Pareto,
    Gaussian,
    Special,
}

/// The value of a column or a parameter: written as it is, or what it is drawn from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct ValueDefinition {
    /// What it is drawn from.
    pub generator: ValueGenerator,
    /// Probability of NULL.
    pub null: f64,
}

/// What a value is drawn from.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueGenerator {
    /// Always the same.
    Constant(Scalar),
    /// Whole numbers.
    Range {
        /// The first.
        from: i64,
        /// The last.
        to: i64,
        /// How they are distributed.
        by: Distribution,
    },
    /// The number of a row of a table, from 1.
    RowOf {
        /// Name of the table.
        table: String,
        /// How rows are distributed.
        by: Distribution,
    },
    /// The number after the last row of a table, counted on by all clients together.
    NewRowOf(String),
    /// A number, and the next ones.
    Sequence(i64),
    /// Numbers that do not repeat, in no order.
    Unique,
    /// A pattern: `#` is a digit, `@` a letter.
    Text(String),
    /// Letters, from this many to that many.
    Letters(u32, u32),
    /// Bytes, from this many to that many.
    Bytes(u32, u32),
    /// One of some words, with weights.
    Words(Vec<String>, Vec<u32>),
    /// Numbers with digits after the point, as written.
    Decimal(String, String),
    /// Days.
    Date(String, String),
    /// Seconds.
    DateTime(String, String),
    /// Random UUIDs.
    Uuid,
    /// JSON objects.
    Json(BTreeMap<String, ValueDefinition>),
    /// The number of the client, from 1.
    Client,
    /// Another value of the transaction, a whole number, and this much more.
    Plus(String, i64),
}

/// How whole numbers of a range are distributed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distribution {
    /// Equally.
    Uniform,
    /// Zipf, the first being the most frequent.
    Zipfian(f64),
    /// Pareto: with h = 0.2, 80 % of the draws hit the first 20 %.
    Pareto(f64),
    /// Around the middle: the mean of twelve draws.
    Gaussian,
    /// sysbench 1.0's default.
    Special,
}

/// A value as it is written in a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum Written {
    Scalar(Scalar),
    Table(Box<WrittenTable>),
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(WrittenVisitor)
    }
}

/// Reads either form, so that a misspelt key is named.
struct WrittenVisitor;

impl<'de> Visitor<'de> for WrittenVisitor {
    type Value = Written;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value, or what it is drawn from, such as { uniform = [1, 100] }")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Written, E> {
        Ok(Written::Scalar(Scalar::Switch(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Written, E> {
        Ok(Written::Scalar(Scalar::Int(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Written, E> {
        i64::try_from(value).map_err(E::custom).and_then(|value| self.visit_i64(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Written, E> {
        Ok(Written::Scalar(Scalar::Number(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Written, E> {
        Ok(Written::Scalar(Scalar::Text(value.to_owned())))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Written, A::Error> {
        WrittenTable::deserialize(MapAccessDeserializer::new(map))
            .map(|table| Written::Table(Box::new(table)))
    }
}

/// A generator as it is written: one key names it, others say more.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WrittenTable {
    #[serde(skip_serializing_if = "Option::is_none")]
    uniform: Option<(i64, i64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zipfian: Option<(i64, i64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pareto: Option<(i64, i64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gaussian: Option<(i64, i64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    special: Option<(i64, i64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_row_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    letters: Option<(u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<(u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decimal: Option<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    datetime: Option<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uuid: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json: Option<BTreeMap<String, ValueDefinition>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plus: Option<(String, i64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Scalar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Chosen>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exponent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    h: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    null: Option<f64>,
}

/// The exponent where none is given, as sysbench has it.
const EXPONENT: f64 = 0.8;
/// sysbench's.
const H: f64 = 0.2;

impl TryFrom<Written> for ValueDefinition {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        match written {
            Written::Scalar(scalar) => Ok(Self { generator: ValueGenerator::Constant(scalar), null: 0.0 }),
            Written::Table(table) => table.definition(),
        }
    }
}

impl WrittenTable {
    fn definition(self) -> Result<ValueDefinition, String> {
        let null = self.null.unwrap_or(0.0);
        if !(0.0..=1.0).contains(&null) {
            return Err(format!("null is a probability from 0 to 1, not {null}"));
        }
        let (by, weights) = (self.by, self.weights.clone());
        let (zipfian, pareto) = (self.exponent, self.h);
        let mut found = self.generators()?;
        let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
        let names = names.join(" and ");
        let Some((name, generator)) = found.pop().filter(|_| found.is_empty()) else {
            return Err(match names.is_empty() {
                true => format!("it names nothing to draw from: one of {}", NAMES.join(", ")),
                false => format!("it names {names}: one of them is enough"),
            });
        };
        let is_zipfian = name == "zipfian" || by == Some(Chosen::Zipfian);
        let is_pareto = name == "pareto" || by == Some(Chosen::Pareto);
        let refused = [
            (by.is_some() && name != "row_of", "by", "row_of"),
            (zipfian.is_some() && !is_zipfian, "exponent", "zipfian"),
            (pareto.is_some() && !is_pareto, "h", "pareto"),
            (weights.is_some() && name != "words", "weights", "words"),
        ];
        if let Some((_, what, of)) = refused.iter().find(|(is, ..)| *is) {
            return Err(format!("{what} belongs to {of}, not to {name}"));
        }
        let definition = ValueDefinition { generator, null };
        definition.generator.check()?;
        Ok(definition)
    }

    /// The generators that it names.
    fn generators(self) -> Result<Vec<(&'static str, ValueGenerator)>, String> {
        let exponent = self.exponent.unwrap_or(EXPONENT);
        let h = self.h.unwrap_or(H);
        let range = |(from, to): (i64, i64), by| ValueGenerator::Range { from, to, by };
        let on = |is: Option<bool>, name: &str, generator| match is {
            Some(false) => Err(format!("{name} is true, or left out")),
            is => Ok(is.map(|_| generator)),
        };
        let chosen = match self.by.unwrap_or(Chosen::Uniform) {
            Chosen::Uniform => Distribution::Uniform,
            Chosen::Zipfian => Distribution::Zipfian(exponent),
            Chosen::Pareto => Distribution::Pareto(h),
            Chosen::Gaussian => Distribution::Gaussian,
            Chosen::Special => Distribution::Special,
        };
        let weights = self.weights.unwrap_or_default();
        let all = [
            ("uniform", self.uniform.map(|ends| range(ends, Distribution::Uniform))),
            ("zipfian", self.zipfian.map(|ends| range(ends, Distribution::Zipfian(exponent)))),
            ("pareto", self.pareto.map(|ends| range(ends, Distribution::Pareto(h)))),
            ("gaussian", self.gaussian.map(|ends| range(ends, Distribution::Gaussian))),
            ("special", self.special.map(|ends| range(ends, Distribution::Special))),
            ("row_of", self.row_of.map(|table| ValueGenerator::RowOf { table, by: chosen })),
            ("new_row_of", self.new_row_of.map(ValueGenerator::NewRowOf)),
            ("sequence", self.sequence.map(ValueGenerator::Sequence)),
            ("unique", on(self.unique, "unique", ValueGenerator::Unique)?),
            ("text", self.text.map(ValueGenerator::Text)),
            ("letters", self.letters.map(|(from, to)| ValueGenerator::Letters(from, to))),
            ("bytes", self.bytes.map(|(from, to)| ValueGenerator::Bytes(from, to))),
            ("words", self.words.map(|words| ValueGenerator::Words(words, weights))),
            ("decimal", self.decimal.map(|(from, to)| ValueGenerator::Decimal(from, to))),
            ("date", self.date.map(|(from, to)| ValueGenerator::Date(from, to))),
            ("datetime", self.datetime.map(|(from, to)| ValueGenerator::DateTime(from, to))),
            ("uuid", on(self.uuid, "uuid", ValueGenerator::Uuid)?),
            ("json", self.json.map(ValueGenerator::Json)),
            ("client", on(self.client, "client", ValueGenerator::Client)?),
            ("plus", self.plus.map(|(of, by)| ValueGenerator::Plus(of, by))),
            ("value", self.value.map(ValueGenerator::Constant)),
        ];
        Ok(all.into_iter().filter_map(|(name, generator)| Some((name, generator?))).collect())
    }
}

/// The generators, as they are written.
const NAMES: [&str; 21] = [
    "uniform",
    "zipfian",
    "pareto",
    "gaussian",
    "special",
    "row_of",
    "new_row_of",
    "sequence",
    "unique",
    "text",
    "letters",
    "bytes",
    "words",
    "decimal",
    "date",
    "datetime",
    "uuid",
    "json",
    "client",
    "plus",
    "value",
];

impl ValueGenerator {
    /// The rules that its form alone does not enforce.
    fn check(&self) -> Result<(), String> {
        let order = |name: &str, is: bool| match is {
            true => Ok(()),
            false => Err(format!("{name}: the first is greater than the last")),
        };
        match self {
            Self::Range { from, to, by } => {
                order("the range", from <= to)?;
                by.check()
            }
            Self::RowOf { by, .. } => by.check(),
            Self::Letters(from, to) => order("letters", from <= to),
            Self::Bytes(from, to) => order("bytes", from <= to),
            Self::Words(words, weights)
                if words.is_empty() || (!weights.is_empty() && weights.len() != words.len()) =>
            {
                Err(format!("words: {} words and {} weights", words.len(), weights.len()))
            }
            Self::Words(_, weights) if !weights.is_empty() && weights.iter().all(|weight| *weight == 0) => {
                Err("words: all weights are 0".to_owned())
            }
            Self::Date(..) | Self::DateTime(..) | Self::Decimal(..) => {
                self.source(&TableSizes::new()).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// The tables that it names.
    pub fn tables(&self) -> Vec<&str> {
        match self {
            Self::RowOf { table, .. } | Self::NewRowOf(table) => vec![table],
            Self::Json(members) => members.values().flat_map(|member| member.generator.tables()).collect(),
            _ => Vec::new(),
        }
    }

    /// The same, ready to draw; `sizes` has the rows of the tables.
    ///
    /// # Errors
    /// A table that it names is unknown or has no rows, or a value cannot be read.
    pub fn source(&self, sizes: &TableSizes) -> Result<ValueSource, String> {
        let rows = |table: &str| match sizes.get(table) {
            Some(rows) => Ok(i64::try_from(*rows).unwrap_or(i64::MAX)),
            None => Err(format!("there is no [[table]] named {table}")),
        };
        Ok(match self {
            Self::Constant(Scalar::Switch(on)) => ValueSource::int(i64::from(*on)),
            Self::Constant(Scalar::Int(value)) => ValueSource::int(*value),
            Self::Constant(Scalar::Number(value)) => ValueSource::text(&value.to_string()),
            Self::Constant(Scalar::Text(text)) => ValueSource::text(text),
            Self::Range { from, to, by } => {
                ValueSource::range(by.keys(to.abs_diff(*from).saturating_add(1)), *from, *to)
            }
            Self::RowOf { table, by } => match rows(table)? {
                0 => return Err(format!("table {table} has no rows to choose from")),
                rows => ValueSource::range(by.keys(rows.unsigned_abs()), 1, rows),
            },
            Self::NewRowOf(table) => ValueSource::sequence(rows(table)?.saturating_add(1)),
            Self::Sequence(from) => ValueSource::sequence(*from),
            Self::Unique => ValueSource::unique(0),
            Self::Text(pattern) => ValueSource::pattern(pattern),
            Self::Letters(from, to) => ValueSource::letters(*from, *to),
            Self::Bytes(from, to) => ValueSource::bytes(*from, *to),
            Self::Words(words, weights) => ValueSource::words(words, weights),
            Self::Decimal(from, to) => decimals(from, to)?,
            Self::Date(from, to) => ValueSource::dates(from, to)?,
            Self::DateTime(from, to) => ValueSource::times(from, to)?,
            Self::Uuid => ValueSource::uuid(),
            Self::Json(members) => {
                let member =
                    |(name, value): (&String, &ValueDefinition)| Ok((name.clone(), value.source(sizes)?));
                ValueSource::json(members.iter().map(member).collect::<Result<_, String>>()?)
            }
            Self::Client => ValueSource::client(),
            Self::Plus(of, _) => {
                return Err(format!("plus adds to {of}: only values of statements can do that"));
            }
        })
    }
}

impl ValueDefinition {
    /// The same, ready to draw.
    ///
    /// # Errors
    /// As of [`ValueGenerator::source`].
    pub fn source(&self, sizes: &TableSizes) -> Result<ValueSource, String> {
        Ok(self.generator.source(sizes)?.or_null(self.null))
    }
}

impl Distribution {
    fn check(self) -> Result<(), String> {
        match self {
            Self::Zipfian(exponent) if !exponent.is_finite() || exponent < 0.0 => {
                Err(format!("exponent {exponent} is not a number from 0 on"))
            }
            Self::Pareto(h) if !(h > 0.0 && h < 1.0) => Err(format!("h {h} does not lie between 0 and 1")),
            _ => Ok(()),
        }
    }

    fn keys(self, n: u64) -> Keys {
        match self {
            Self::Uniform => Keys::uniform(),
            Self::Zipfian(exponent) => Keys::zipfian(exponent, n),
            Self::Pareto(h) => Keys::pareto(h),
            Self::Gaussian => Keys::gaussian(12),
            Self::Special => Keys::special(12, 1, 75),
        }
    }
}

/// Draws values for these names, each once. `find` has what they are drawn from; names that it does not know are left out.
///
/// # Errors
/// A value cannot be drawn.
pub fn draw_named<'a>(
    names: &[String],
    find: impl Fn(&str) -> Option<&'a ValueDefinition>,
    sizes: &TableSizes,
    rng: &mut Rng,
    at: DrawAt,
) -> Result<BTreeMap<String, (Drawn, Vec<u8>)>, String> {
    let mut drawn: BTreeMap<String, (Drawn, Vec<u8>)> = BTreeMap::new();
    for name in names {
        let Some(definition) = find(name) else { continue };
        let (of, by) = match &definition.generator {
            ValueGenerator::Plus(of, by) => (of.as_str(), Some(*by)),
            _ => (name.as_str(), None),
        };
        if !drawn.contains_key(of)
            && let Some(definition) = find(of)
        {
            let mut out = Vec::new();
            let value = definition.source(sizes)?.draw(rng, at, &mut out);
            drawn.insert(of.to_owned(), (value, out));
        }
        if let (Some(by), Some((Drawn::Int(value), _))) = (by, drawn.get(of)) {
            let sum = Drawn::Int(value.wrapping_add(by));
            drawn.insert(name.clone(), (sum, Vec::new()));
        }
    }
    Ok(drawn)
}

/// Numbers with as many digits after the point as the longer of the two has.
fn decimals(from: &str, to: &str) -> Result<ValueSource, String> {
    let digits = |text: &str| text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let places = digits(from).max(digits(to));
    let units = |text: &str| {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let all = format!("{whole}{fraction:0<places$}");
        all.parse::<i64>().map_err(|_| format!("'{text}' is not a number of at most 18 digits such as 12.50"))
    };
    let (first, last) = (units(from)?, units(to)?);
    match (first <= last, u32::try_from(places)) {
        (true, Ok(places)) if places <= 18 => Ok(ValueSource::decimal(first, last, places)),
        (true, _) => Err("a decimal has at most 18 digits after its point".to_owned()),
        (false, _) => Err("decimal: the first is greater than the last".to_owned()),
    }
}

impl From<ValueDefinition> for Written {
    fn from(value: ValueDefinition) -> Self {
        let ValueDefinition { generator, null } = value;
        let null = (null > 0.0).then_some(null);
        let mut table = WrittenTable { null, ..WrittenTable::default() };
        match generator {
            ValueGenerator::Constant(scalar) if null.is_none() => return Self::Scalar(scalar),
            ValueGenerator::Constant(scalar) => table.value = Some(scalar),
            ValueGenerator::Range { from, to, by } => {
                let ends = Some((from, to));
                match by {
                    Distribution::Uniform => table.uniform = ends,
                    Distribution::Zipfian(_) => table.zipfian = ends,
                    Distribution::Pareto(_) => table.pareto = ends,
                    Distribution::Gaussian => table.gaussian = ends,
                    Distribution::Special => table.special = ends,
                }
                table.shape(by);
            }
            ValueGenerator::RowOf { table: name, by } => {
                table.row_of = Some(name);
                table.by = match by {
                    Distribution::Uniform => None,
                    Distribution::Zipfian(_) => Some(Chosen::Zipfian),
                    Distribution::Pareto(_) => Some(Chosen::Pareto),
                    Distribution::Gaussian => Some(Chosen::Gaussian),
                    Distribution::Special => Some(Chosen::Special),
                };
                table.shape(by);
            }
            ValueGenerator::NewRowOf(name) => table.new_row_of = Some(name),
            ValueGenerator::Sequence(from) => table.sequence = Some(from),
            ValueGenerator::Unique => table.unique = Some(true),
            ValueGenerator::Text(pattern) => table.text = Some(pattern),
            ValueGenerator::Letters(from, to) => table.letters = Some((from, to)),
            ValueGenerator::Bytes(from, to) => table.bytes = Some((from, to)),
            ValueGenerator::Words(words, weights) => {
                table.words = Some(words);
                table.weights = (!weights.is_empty()).then_some(weights);
            }
            ValueGenerator::Decimal(from, to) => table.decimal = Some((from, to)),
            ValueGenerator::Date(from, to) => table.date = Some((from, to)),
            ValueGenerator::DateTime(from, to) => table.datetime = Some((from, to)),
            ValueGenerator::Uuid => table.uuid = Some(true),
            ValueGenerator::Json(members) => table.json = Some(members),
            ValueGenerator::Client => table.client = Some(true),
            ValueGenerator::Plus(of, by) => table.plus = Some((of, by)),
        }
        Self::Table(Box::new(table))
    }
}

impl WrittenTable {
    fn shape(&mut self, by: Distribution) {
        match by {
            Distribution::Zipfian(exponent) => self.exponent = Some(exponent),
            Distribution::Pareto(h) => self.h = Some(h),
            _ => {}
        }
    }
}
