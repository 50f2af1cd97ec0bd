//! Rounds: the arms of a comparison run in turn (A B A B ...), so that what changes over minutes hits all of them.

use std::collections::BTreeMap;

use crate::error::BenchError;

/// The figures of a family, by the name of the row.
pub type Figures = BTreeMap<String, Figure>;

/// One variant, measured repeatedly.
pub struct Arm<'a, T> {
    /// Its name in the table.
    pub name: &'static str,
    /// Measures it once.
    pub run: Box<dyn FnMut() -> Result<T, BenchError> + 'a>,
}

impl<'a, T> Arm<'a, T> {
    /// An arm.
    pub fn new(name: &'static str, run: impl FnMut() -> Result<T, BenchError> + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// The measurements: for each arm, its name and one sample per round.
pub struct Rounds<T>(Vec<(&'static str, Vec<T>)>);

/// Runs every arm once per round, in turn.
pub fn interleave<T>(title: &str, rounds: usize, mut arms: Vec<Arm<'_, T>>) -> Result<Rounds<T>, BenchError> {
    let mut samples: Vec<Vec<T>> = arms.iter().map(|_| Vec::with_capacity(rounds)).collect();
    for round in 1..=rounds {
        for (arm, samples) in arms.iter_mut().zip(&mut samples) {
            eprintln!("{title}, round {round} of {rounds}: {}", arm.name);
            samples.push((arm.run)()?);
        }
    }
    Ok(Rounds(arms.iter().map(|arm| arm.name).zip(samples).collect()))
}

impl<T> Rounds<T> {
    /// A figure of an arm: the median over the rounds. `arm` counts from 0.
    pub fn value(&self, arm: usize, unit: &'static str, of: impl Fn(&T) -> f64) -> Figure {
        let series = self.series(arm, unit, of);
        Figure::of(series.name, unit, series.values)
    }

    /// Ratio of a figure between two arms: the median of the ratios within the rounds.
    pub fn ratio(&self, arms: [usize; 2], unit: &'static str, of: impl Fn(&T) -> f64) -> Figure {
        let [above, below] = arms.map(|arm| self.series(arm, unit, &of));
        let ratios = self.ratios(arms, of);
        Figure { value: Spread::of(&ratios).median, rounds: ratios, arms: vec![above, below], grid: None }
    }

    /// The ratios within the rounds.
    pub fn ratios(&self, arms: [usize; 2], of: impl Fn(&T) -> f64) -> Vec<f64> {
        let [above, below] = arms.map(|arm| &self.0[arm].1);
        above.iter().zip(below).map(|(above, below)| of(above) / of(below)).collect()
    }

    fn series(&self, arm: usize, unit: &'static str, of: impl Fn(&T) -> f64) -> Series {
        let (name, samples) = &self.0[arm];
        Series { name, unit, values: samples.iter().map(of).collect() }
    }
}

/// The values of one arm, round by round.
#[derive(Debug, Clone)]
pub struct Series {
    /// The arm.
    pub name: &'static str,
    /// Unit of the values.
    pub unit: &'static str,
    /// One value per round.
    pub values: Vec<f64>,
}

/// A benchmark's value and the series it was computed from.
#[derive(Debug, Clone)]
pub struct Figure {
    /// The value.
    pub value: f64,
    /// Its value in each round; empty if it is not measured in rounds.
    pub rounds: Vec<f64>,
    /// The series it was computed from.
    pub arms: Vec<Series>,
    /// Its row in a table of related figures.
    pub grid: Option<GridRow>,
}

impl Figure {
    /// The median of one arm's values.
    pub fn of(name: &'static str, unit: &'static str, values: Vec<f64>) -> Self {
        let (value, rounds) = (Spread::of(&values).median, values.clone());
        Self { value, rounds, arms: vec![Series { name, unit, values }], grid: None }
    }

    /// Adds the arms of other figures to its own.
    pub fn beside(mut self, others: impl IntoIterator<Item = Self>) -> Self {
        self.arms.extend(others.into_iter().flat_map(|other| other.arms));
        self
    }
}

/// A line of a table of its own: figures that are read beside each other, without a target for each.
#[derive(Debug, Clone)]
pub struct GridRow {
    /// Title of the table. Lines with the same title make one table.
    pub title: &'static str,
    /// The head of each column and its cell: values that were measured together. A value that was not measured is NaN.
    pub cells: Vec<(&'static str, Vec<f64>)>,
    /// The reason something is missing.
    pub remark: Option<String>,
}

/// Median, minimum and maximum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The middle one, or the mean of the middle two.
    pub median: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    /// The spread of at least one value.
    pub fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (low, high) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
        Self { median: (low + high) / 2.0, min: sorted[0], max: sorted[sorted.len() - 1] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_run_in_turn_and_ratios_are_taken_within_a_round() {
        let order = std::cell::RefCell::new(String::new());
        let mut a = [10.0, 20.0, 40.0].into_iter();
        let mut b = [5.0, 20.0, 10.0].into_iter();
        let arms = vec![
            Arm::new("a", || {
                order.borrow_mut().push('a');
                Ok(a.next().expect("three rounds"))
            }),
            Arm::new("b", || {
                order.borrow_mut().push('b');
                Ok(b.next().expect("three rounds"))
            }),
        ];
        let rounds = interleave("test", 3, arms).expect("nothing fails");
        assert_eq!(*order.borrow(), "ababab");
        let figure = rounds.ratio([0, 1], "s", |value| *value);
        assert_eq!(figure.value, 2.0, "of 2, 1 and 4");
        assert_eq!(Spread::of(&figure.arms[0].values), Spread { median: 20.0, min: 10.0, max: 40.0 });
    }

    #[test]
    fn the_median_of_an_even_number_lies_between_the_middle_two() {
        assert_eq!(Spread::of(&[4.0, 1.0, 2.0, 3.0]).median, 2.5);
        assert_eq!(Spread::of(&[7.0]).median, 7.0);
    }
}
