//! How the trials of a sweep or an experiment are arranged: repeats, when to stop repeating, where to look closer, when data
//! are put back.

use clap::{ArgAction, Args, ValueEnum};
use model::{Design, UntilSure};

use super::size::{seconds, switch};
use crate::error::{Outcome, UserError};

/// Repeats of a sweep where nothing is said.
const REPEATS: u32 = 3;
/// Blocks of `--until-sure`: a difference of 3 % is found among runs that scatter by 4 %.
const BLOCKS_MAX: u32 = 40;

/// Options of sweeps and experiments.
#[derive(Args, Clone)]
#[command(next_help_heading = "Repeats and order")]
pub struct DesignArgs {
    /// Number of repeats of every cell; with --until-sure the minimum [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: Option<u32>,
    /// Add repeats until every target differs significantly from the first or is equivalent to it (within --margin).
    /// Optional time budget: 20m, 1h. Sequential test, overall false-positive rate 5 %
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, value_parser = budget, default_missing_value = "0")]
    pub until_sure: Option<f64>,
    /// Maximum number of repeats with --until-sure
    #[arg(long, value_name = "N", default_value_t = BLOCKS_MAX, value_parser = clap::value_parser!(u32).range(3..=1000))]
    pub max_repeats: u32,
    /// Equivalence margin of --until-sure, in percent
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = percent)]
    pub margin: f64,
    /// Add client counts around a collapse of a curve or a crossover of two
    #[arg(long, value_name = "on|off", default_value = "off", default_missing_value = "on", num_args = 0..=1,
        require_equals = true, action = ArgAction::Set, value_parser = switch)]
    pub refine: bool,
    /// Repeat the first cell at the end to detect drift of the machine; experiments always do
    #[arg(long, value_name = "on|off", default_value = "off", default_missing_value = "on", num_args = 0..=1,
        require_equals = true, action = ArgAction::Set, value_parser = switch)]
    pub bookend: bool,
    /// Idle seconds before each cell except the first, to let disks and kernel settle
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds)]
    pub cool_down_time: f64,
    /// When to restore the data before a cell. written: after a cell that wrote (sandboxes, which then run one at a time).
    /// changed: only after rows were added or removed. reload: as written, and on external servers drop and load the
    /// tables again
    #[arg(long, value_name = "RULE", default_value = "written")]
    pub restore: Restore,
}

/// `--restore`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Restore {
    /// When an earlier cell wrote.
    Written,
    /// When rows were added or removed.
    Changed,
    /// When an earlier cell wrote, on all servers.
    Reload,
}

fn budget(text: &str) -> Result<f64, String> {
    seconds(text)
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    match number.parse::<f64>() {
        Ok(percent) if percent > 0.0 && percent <= 50.0 => Ok(percent / 100.0),
        _ => Err("it is a number of percent, above 0 and at most 50".to_owned()),
    }
}

impl DesignArgs {
    /// How often every cell is run to begin with.
    pub fn repeats(&self) -> u32 {
        self.repeats.unwrap_or(REPEATS)
    }

    /// As it is stored.
    ///
    /// # Errors
    /// Fewer repeats at most than to begin with.
    pub fn design(&self) -> Outcome<Design> {
        if self.until_sure.is_some() && self.max_repeats < self.repeats() {
            return Err(UserError::usage(format!(
                "--max-repeats {} is less than --repeats {}",
                self.max_repeats,
                self.repeats()
            )));
        }
        let until_sure = self.until_sure.map(|budget_s| UntilSure {
            margin: self.margin,
            blocks_max: self.max_repeats,
            budget_s: (budget_s > 0.0).then_some(budget_s),
        });
        Ok(Design {
            restore: match self.restore {
                Restore::Written => model::Restore::Written,
                Restore::Changed => model::Restore::Changed,
                Restore::Reload => model::Restore::Reload,
            },
            bookend: self.bookend,
            cool_down_s: self.cool_down_time,
            refine: self.refine,
            until_sure,
            ..Design::default()
        })
    }
}
