//! Rates: how much is due by the clock, in phases.

use model::Phase;

use super::size::{count, seconds};

/// More starts per second than a generator's timers and one lock can do.
const MOST_PER_S: f64 = 1_000_000.0;

/// `500`, `100..2000:60`, `500:30,5000:2,500:30`. 0 is sysbench's word for no rate: no phases.
pub fn phases(text: &str) -> Result<Vec<Phase>, String> {
    if text.trim() == "0" {
        return Ok(Vec::new());
    }
    let phases = text.split(',').map(phase).collect::<Result<Vec<_>, _>>()?;
    let (last, before) = phases.split_last().ok_or("it is empty")?;
    if before.iter().any(|phase| phase.length_s.is_none()) {
        return Err("only the last phase may be without a length, such as 500:30,1000".to_owned());
    }
    if phases.iter().all(|phase| phase.from_per_s == 0.0 && phase.to_per_s == 0.0) {
        return Err("a rate of 0 throughout offers nothing".to_owned());
    }
    if last.length_s.is_none() && last.from_per_s == 0.0 {
        return Err("a last phase with a rate of 0 needs a length, such as 0:10".to_owned());
    }
    Ok(phases)
}

/// `100..5000`, `1K..20K`.
pub fn range(text: &str) -> Result<(f64, f64), String> {
    let form = "it is a lowest and a highest rate, such as 100..5000";
    let (low, high) = text.split_once("..").ok_or(form)?;
    let one = |text: &str| match count(text.trim()) {
        Ok(whole) => Ok(whole as f64),
        Err(_) => per_second(text),
    };
    match (one(low)?, one(high)?) {
        (low, high) if low > 0.0 && low < high => Ok((low, high)),
        _ => Err(format!("{form}, the first one above 0 and below the second")),
    }
}

fn phase(text: &str) -> Result<Phase, String> {
    let (rates, length) = match text.split_once(':') {
        Some((rates, length)) => (rates, Some(length)),
        None => (text, None),
    };
    let length_s = length.map(|length| seconds(length.trim())).transpose()?;
    if length_s == Some(0.0) {
        return Err("a phase of 0 seconds is none".to_owned());
    }
    let (from, to) = rates.split_once("..").unwrap_or((rates, rates));
    let (from_per_s, to_per_s) = (per_second(from)?, per_second(to)?);
    if length_s.is_none() && from_per_s != to_per_s {
        return Err("a ramp needs a length, such as 100..2000:60".to_owned());
    }
    Ok(Phase { from_per_s, to_per_s, length_s })
}

fn per_second(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(rate) if (0.0..=MOST_PER_S).contains(&rate) => Ok(rate),
        Ok(_) => Err(format!("a rate must be between 0 and {MOST_PER_S:.0} transactions per second")),
        Err(_) => Err("it is not a rate, such as 500, or 100..2000:60 for a ramp over 60 seconds".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_have_rates_ramps_and_lengths() {
        let phase = |from_per_s, to_per_s, length_s| Phase { from_per_s, to_per_s, length_s };
        let expected = vec![
            phase(500.0, 500.0, Some(30.0)),
            phase(500.0, 2_000.0, Some(60.0)),
            phase(2_000.0, 2_000.0, None),
        ];
        assert_eq!(phases("500:30, 500..2000:1m,2000"), Ok(expected));
        assert_eq!(phases("0"), Ok(Vec::new()));
    }

    #[test]
    fn a_rate_can_be_read_as_it_is_described() {
        for text in ["500", "500..2000:60,2000:30", "100:5,0:2.5,100"] {
            let rate =
                model::Rate { arrivals: model::Arrivals::Poisson, phases: phases(text).expect("valid") };
            assert_eq!(rate.describe(), text);
        }
    }

    #[test]
    fn nonsense_is_refused_in_words() {
        for (text, why) in [
            ("", "not a rate"),
            ("fast", "not a rate"),
            ("-1", "between 0 and"),
            ("2000000", "between 0 and 1000000"),
            ("nan", "between 0 and"),
            ("100,200", "only the last phase"),
            ("100..200", "a ramp needs a length"),
            ("100:0", "0 seconds"),
            ("0:10", "offers nothing"),
            ("100:10,0", "needs a length"),
        ] {
            let error = phases(text).expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
