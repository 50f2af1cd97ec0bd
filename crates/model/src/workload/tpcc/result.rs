//! Results of a TPC-C trial besides latencies.

use serde::{Deserialize, Serialize};

/// The results of a TPC-C trial besides latencies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TpccResult {
    /// Home warehouses that transactions really worked for.
    pub warehouses_touched: u32,
    /// New-Orders rolled back for an unused item, in the measured window. They are among the completed ones.
    pub rollbacks: u64,
    /// Transactions tried again, by type in the order of [`TpccTransaction::ALL`].
    pub retries: [u64; 5],
    /// Result of the consistency check after the trial; none if it was not made.
    #[serde(default)]
    pub consistency: Option<Consistency>,
    /// The reason it was not made; none if it was made, and in recordings older than this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unchecked: Option<Unchecked>,
}

/// The reason the consistency conditions were not checked after a trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Unchecked {
    /// The check is switched off.
    NotAskedFor,
    /// It was requested, but could not be made.
    Impossible {
        /// The obstacle.
        reason: String,
    },
}

/// The consistency conditions of clause 3.3.2, checked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Consistency {
    /// The conditions that were checked, in order.
    pub conditions: Vec<Condition>,
    /// Checks beyond the twelve conditions. Older recordings have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub additional: Vec<Condition>,
    /// Seconds it took.
    pub seconds: f64,
}

impl Consistency {
    /// True if everything that was checked holds.
    pub fn holds(&self) -> bool {
        self.violated().next().is_none()
    }

    /// Adds the result of a further server, whose examples get its name.
    pub fn add(&mut self, server: &str, found: Self) {
        let named = |mut condition: Condition| {
            condition.examples.iter_mut().for_each(|example| *example = format!("{server}: {example}"));
            condition
        };
        for (all, own) in [(&mut self.conditions, found.conditions), (&mut self.additional, found.additional)]
        {
            for condition in own.into_iter().map(named) {
                match all.iter_mut().find(|known| known.number == condition.number) {
                    Some(known) => {
                        known.violations += condition.violations;
                        known.examples.extend(condition.examples);
                    }
                    None => all.push(condition),
                }
            }
        }
        self.seconds += found.seconds;
    }

    /// The violated conditions.
    pub fn violated(&self) -> impl Iterator<Item = &Condition> {
        self.conditions.iter().chain(&self.additional).filter(|condition| condition.violations > 0)
    }
}

/// One consistency condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// Its number in clause 3.3.2, from 1; beyond its twelve: an additional check.
    pub number: u32,
    /// The text of the condition, `d_ytd of a warehouse's districts adds up to w_ytd`.
    pub says: String,
    /// Keys for which it does not hold.
    pub violations: u64,
    /// The first violations, each with its values.
    pub examples: Vec<String>,
}

impl Condition {
    /// `condition 3`, or what else it is.
    pub fn name(&self) -> String {
        match self.number {
            1..=12 => format!("condition {}", self.number),
            _ => "additional check".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_hold_on_any_server_does_not_hold() {
        let condition = |number: u32, violations: u64| Condition {
            number,
            says: String::new(),
            violations,
            examples: (0..violations).map(|key| format!("warehouse {key}")).collect(),
        };
        let found = |violations: u64| Consistency {
            conditions: vec![condition(1, 0), condition(2, violations)],
            additional: vec![condition(13, 0)],
            seconds: 0.5,
        };
        let mut all = Consistency::default();
        all.add("two", found(0));
        assert!(all.holds());
        all.add("two:2", found(1));
        assert_eq!((all.conditions.len(), all.additional.len(), all.seconds), (2, 1, 1.0));
        let violated: Vec<&Condition> = all.violated().collect();
        assert_eq!((violated.len(), violated[0].number), (1, 2));
        assert_eq!(violated[0].examples, ["two:2: warehouse 0"]);
    }
}
