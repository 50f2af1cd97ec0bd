//! Transactions per unit of money: throughput and what the instance costs by the hour, which only the user knows.

use messages::message;
use model::{Instance, SpecTarget};
use serde::{Deserialize, Serialize};

use analysis::Words;
use analysis::metric::THROUGHPUT;

use crate::versus::{Pair, Side, Versus};
use crate::worth::{Worth, WorthPoint};

/// Hourly price of an instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// The currency, from the key: `usd` of `price_usd_hour`.
    pub currency: String,
    /// The price per hour.
    pub per_hour: f64,
}

/// Prices that the user gave for this comparison; they win over those of the recordings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given {
    /// Price of the base.
    pub base: Option<Price>,
    /// Price of the other side.
    pub other: Option<Price>,
}

impl Price {
    /// Reads `0.45` (US dollars) or `0.45eur`.
    ///
    /// # Errors
    /// A sentence about what cannot be read.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "write a price per hour such as 0.45 (US dollars) or 0.45eur";
        let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (number, currency) = text.split_at(end);
        let per_hour = number.trim().parse::<f64>().ok().filter(|price| price.is_finite() && *price > 0.0);
        let per_hour = per_hour.ok_or_else(|| format!("'{text}' is not a price: {form}"))?;
        let currency = if currency.is_empty() { "usd".to_owned() } else { currency.trim().to_lowercase() };
        Ok(Self { currency, per_hour })
    }

    /// Every `price_CURRENCY_hour` of an instance that is a number above zero.
    pub fn of(instance: &Instance) -> Vec<Self> {
        let one = |(key, value): (&String, &String)| {
            let currency = key.strip_prefix("price_")?.strip_suffix("_hour")?.to_lowercase();
            let per_hour =
                value.trim().parse().ok().filter(|price: &f64| price.is_finite() && *price > 0.0)?;
            Some(Self { currency, per_hour })
        };
        instance.iter().filter_map(one).collect()
    }
}

/// Adds the cost efficiency of both sides to every pair of a comparison, or a note about the price that is missing. Without
/// any price, nothing is added.
pub fn add(versus: &mut Versus, base: Side<'_>, other: Side<'_>, given: &Given) {
    for pair in &mut versus.pairs {
        let prices = |side: Side<'_>, name: &str, given: &Option<Price>| match given {
            Some(price) => vec![price.clone()],
            None => of_target(side, name).map(|spec| Price::of(&spec.instance)).unwrap_or_default(),
        };
        let (a, b) = (prices(base, &pair.base, &given.base), prices(other, &pair.other, &given.other));
        match common(&a, &b) {
            Ok(Some((a, b))) => pair.worth = Some(worth(pair, a, b)),
            Ok(None) => {}
            Err(Lacking::Base) => versus.notes.push(missing(&pair.base, "base")),
            Err(Lacking::Other) => versus.notes.push(missing(&pair.other, "other")),
            Err(Lacking::Currency) => {
                let said = |prices: &[Price]| {
                    prices.iter().map(|price| price.currency.as_str()).collect::<Vec<_>>().join(", ")
                };
                versus.notes.push(message!(
                    "currencies-differ",
                    base = Text(pair.base.clone()),
                    of_base = Text(said(&a)),
                    other = Text(pair.other.clone()),
                    of_other = Text(said(&b)),
                ));
            }
        }
    }
}

/// The target that a side of a pair is about.
fn of_target<'a>(side: Side<'a>, name: &str) -> Option<&'a SpecTarget> {
    let label = name.strip_prefix(&side.run.id)?.strip_prefix(':')?;
    side.run.plan.spec.targets.iter().find(|spec| spec.target.label == label)
}

enum Lacking {
    Base,
    Other,
    Currency,
}

/// Prices in the same currency; none if neither side has any.
fn common<'a>(a: &'a [Price], b: &'a [Price]) -> Result<Option<(&'a Price, &'a Price)>, Lacking> {
    match (a, b) {
        ([], []) => Ok(None),
        ([], _) => Err(Lacking::Base),
        (_, []) => Err(Lacking::Other),
        _ => {
            let same = |one: &'a Price| Some((one, b.iter().find(|other| other.currency == one.currency)?));
            a.iter().find_map(same).map(Some).ok_or(Lacking::Currency)
        }
    }
}

fn missing(name: &str, side: &str) -> Words {
    message!("price-missing", name = Text(name), side = Word(side))
}

fn worth(pair: &Pair, base: &Price, other: &Price) -> Worth {
    const SECONDS_PER_HOUR: f64 = 3_600.0;
    let dearer = other.per_hour / base.per_hour;
    let own = pair.points.iter().filter(|point| point.comparison.metric == THROUGHPUT.id);
    let points = own.map(|point| {
        let c = &point.comparison;
        WorthPoint {
            workload: c.workload.clone(),
            threads: c.threads,
            base_per_unit: point.base_value * SECONDS_PER_HOUR / base.per_hour,
            other_per_unit: point.other_value * SECONDS_PER_HOUR / other.per_hour,
            ratio: c.ratio / dearer,
            low: c.low.map(|low| low / dearer),
            high: c.high.map(|high| high / dearer),
        }
    });
    Worth {
        currency: base.currency.clone(),
        base_per_hour: base.per_hour,
        other_per_hour: other.per_hour,
        points: points.collect(),
    }
}

#[cfg(test)]
mod tests {
    use analysis::contest::Point;
    use analysis::{Comparison, Verdict};

    use super::*;

    fn instance(words: &[(&str, &str)]) -> Instance {
        words.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn prices_are_read_in_any_currency() {
        let found = Price::of(&instance(&[
            ("class", "large"),
            ("price_eur_hour", "0.5"),
            ("price_usd_hour", "about 1"),
            ("price_usd_month", "300"),
        ]));
        assert_eq!(found, [Price { currency: "eur".to_owned(), per_hour: 0.5 }]);
        assert_eq!(Price::parse("0.45"), Ok(Price { currency: "usd".to_owned(), per_hour: 0.45 }));
        assert_eq!(Price::parse("3CNY"), Ok(Price { currency: "cny".to_owned(), per_hour: 3.0 }));
        for wrong in ["", "eur", "-1", "0"] {
            assert!(Price::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_server_that_is_faster_and_dearer_may_do_less_for_the_money() {
        let comparison = Comparison {
            metric: "throughput".to_owned(),
            workload: "oltp_read_write".to_owned(),
            threads: 8,
            base: "a".to_owned(),
            other: "b".to_owned(),
            ratio: 1.2,
            low: Some(1.1),
            high: Some(1.3),
            verdict: Verdict::Better,
            sequential: false,
            margin: 0.02,
            pairing: stats::Pairing::Independent,
            runs_needed: None,
            p_adjusted: None,
            p_value: None,
            family: analysis::Family::Primary,
            family_size: 1,
            detectable: None,
            withheld: None,
            not_valid: Vec::new(),
        };
        let point = Point { comparison, base_value: 1_000.0, other_value: 1_200.0 };
        let pair = Pair {
            base: "r:a".to_owned(),
            other: "q:b".to_owned(),
            points: vec![point],
            validity: None,
            missing: Vec::new(),
            worth: None,
        };
        let price = |per_hour| Price { currency: "usd".to_owned(), per_hour };
        let found = worth(&pair, &price(0.5), &price(0.75));
        let at = &found.points[0];
        assert_eq!((at.base_per_unit, at.other_per_unit), (7_200_000.0, 5_760_000.0));
        assert!((at.ratio - 0.8).abs() < 1e-12, "{at:?}");
        assert!(at.low.is_some_and(|low| (low - 1.1 / 1.5).abs() < 1e-12));
        let eur = Price { currency: "eur".to_owned(), per_hour: 1.0 };
        assert!(matches!(common(&[price(1.0)], std::slice::from_ref(&eur)), Err(Lacking::Currency)));
        assert!(matches!(common(&[], &[eur]), Err(Lacking::Base)));
        assert!(matches!(common(&[], &[]), Ok(None)));
    }
}
