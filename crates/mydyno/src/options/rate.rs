//! `--rate`: how much is due by the clock, in phases.

use model::{Arrivals, Phase, Rate};

use super::size::seconds;
use crate::error::{Outcome, UserError};

/// More starts per second than a generator's timers and one lock can do.
const MOST_PER_S: f64 = 1_000_000.0;

/// The phases as they were typed; none for 0, sysbench's word for no rate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Phases(Vec<Phase>);

/// `500`, `100..2000:60`, `500:30,5000:2,500:30`.
pub fn phases(text: &str) -> Result<Phases, String> {
    if text.trim() == "0" {
        return Ok(Phases(Vec::new()));
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
    Ok(Phases(phases))
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

impl Phases {
    /// Whether work is due by the clock.
    pub fn is_open_loop(&self) -> bool {
        !self.0.is_empty()
    }

    /// The open loop, if there is one, and how long the measured window is.
    pub fn rate(
        &self,
        arrivals: Arrivals,
        time: Option<f64>,
        default_s: f64,
    ) -> Outcome<(Option<Rate>, f64)> {
        let phases = self.0.clone();
        if phases.is_empty() {
            return Ok((None, time.unwrap_or(default_s)));
        }
        let fixed_s: f64 = phases.iter().filter_map(|phase| phase.length_s).sum();
        let is_open = phases.last().is_some_and(|phase| phase.length_s.is_none());
        let time_s = match time {
            None if is_open => fixed_s + default_s,
            None => fixed_s,
            Some(time) if is_open && (time > fixed_s || time == 0.0) => time,
            Some(time) if !is_open && (time - fixed_s).abs() < 1e-9 => time,
            Some(time) => {
                let is = if is_open { "leaves nothing for the last of" } else { "is not the sum of" };
                return Err(UserError::usage(format!(
                    "--time={time} {is} the phases of --rate, {fixed_s} s"
                ))
                .hint("leave out --time: the phases say how long the window is"));
            }
        };
        Ok((Some(Rate { arrivals, phases }), time_s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(text: &str, time: Option<f64>) -> Outcome<(Option<Rate>, f64)> {
        phases(text).expect("valid").rate(Arrivals::Poisson, time, 10.0)
    }

    #[test]
    fn phases_have_rates_ramps_and_lengths() {
        let (found, time_s) = rate("500:30, 500..2000:1m,2000", None).expect("valid");
        let phase = |from_per_s, to_per_s, length_s| Phase { from_per_s, to_per_s, length_s };
        let expected = vec![
            phase(500.0, 500.0, Some(30.0)),
            phase(500.0, 2_000.0, Some(60.0)),
            phase(2_000.0, 2_000.0, None),
        ];
        assert_eq!((found.expect("an open loop").phases, time_s), (expected, 100.0));
        assert_eq!(rate("0", Some(7.0)), Ok((None, 7.0)));
        assert_eq!(rate("100", Some(60.0)).map(|(_, time_s)| time_s), Ok(60.0));
        assert_eq!(rate("100", Some(0.0)).map(|(_, time_s)| time_s), Ok(0.0));
    }

    #[test]
    fn what_it_says_can_be_typed_again() {
        for text in ["500", "500..2000:60,2000:30", "100:5,0:2.5,100"] {
            let typed = phases(text).expect("valid").rate(Arrivals::Poisson, None, 10.0).expect("valid").0;
            assert_eq!(typed.expect("an open loop").describe(), text);
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
        assert!(rate("100:10,200:10", Some(30.0)).is_err());
        assert!(rate("100:10,200", Some(5.0)).is_err());
    }
}
