//! Decks of TPC-C: how many cards each of the five transactions has.

use model::TpccDeck;

/// Numbers of cards, or percentages that add up to 100.
pub fn deck(text: &str) -> Result<TpccDeck, String> {
    let wrong = || {
        "five numbers of cards, such as 10,10,1,1,1, or five percentages, such as 45%,43%,4%,4%,4%".to_owned()
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let are_percentages = parts.iter().all(|part| part.ends_with('%'));
    let numbers = parts.iter().map(|part| part.strip_suffix('%').filter(|_| are_percentages).unwrap_or(part));
    let cards = if are_percentages {
        percentages(&numbers.collect::<Vec<_>>(), wrong)?
    } else {
        numbers.map(|n| n.parse::<u32>()).collect::<Result<Vec<_>, _>>().map_err(|_| wrong())?
    };
    let [new_order, payment, order_status, delivery, stock_level] = cards[..] else { return Err(wrong()) };
    if cards.iter().any(|cards| *cards > 10_000) {
        return Err("a deck has at most 10000 cards of a kind".to_owned());
    }
    if new_order == 0 {
        return Err("without New-Order there is no tpmC: its number must be above 0".to_owned());
    }
    Ok(TpccDeck { new_order, payment, order_status, delivery, stock_level })
}

/// A deck of a hundred cards, or of a thousand where the percentages have a decimal.
fn percentages(numbers: &[&str], wrong: impl Fn() -> String) -> Result<Vec<u32>, String> {
    let values =
        numbers.iter().map(|n| n.parse::<f64>()).collect::<Result<Vec<_>, _>>().map_err(|_| wrong())?;
    if values.iter().any(|value| !(0.0..=100.0).contains(value)) {
        return Err(wrong());
    }
    let sum: f64 = values.iter().sum();
    if (sum - 100.0).abs() > 1e-6 {
        return Err(format!("the percentages add up to {}, not to 100", (sum * 1e3).round() / 1e3));
    }
    let cards_of = |all: f64| values.iter().map(|value| value * all / 100.0).collect::<Vec<_>>();
    let is_whole = |cards: &[f64]| cards.iter().all(|cards| (cards - cards.round()).abs() < 1e-6);
    let found = [100.0, 1_000.0].into_iter().map(cards_of).find(|cards| is_whole(cards));
    let cards = found.ok_or("percentages may have one decimal")?;
    Ok(cards.iter().map(|cards| cards.round() as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_deck_is_refused_and_why_is_said() {
        for (text, why) in [
            ("1,2,3", "five numbers"),
            ("0,1,1,1,1", "above 0"),
            ("a,b,c,d,e", "five numbers"),
            ("10,10,1,1,1,1", "five numbers"),
            ("45%,43%,4%,4%,5%", "add up to 101, not to 100"),
            ("45%,43%,4%,4%,4", "five numbers"),
            ("44.95%,43.05%,4%,4%,4%", "one decimal"),
        ] {
            let error = deck(text).expect_err("refused");
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn percentages_are_a_deck_of_a_hundred_or_a_thousand_cards() {
        let cards =
            |text| deck(text).map(|d| [d.new_order, d.payment, d.order_status, d.delivery, d.stock_level]);
        assert_eq!(cards("45%,43%,4%,4%,4%"), Ok([45, 43, 4, 4, 4]));
        assert_eq!(cards("44.9%, 43.1%, 4%, 4%, 4%"), Ok([449, 431, 40, 40, 40]));
        assert_eq!(cards("10,10,1,1,1"), Ok([10, 10, 1, 1, 1]));
    }
}
