//! Flags from the table of options: the clap definition of each row, and the edits that the flags make.

use std::marker::PhantomData;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use spec::{Default, Edit, Kind, OptionGroup, OptionRow, Values, Wrong};

use crate::error::UserError;

/// A page of the table, whose options a verb has.
pub trait Page: Clone + Send + Sync + 'static {
    /// Its rows.
    const ROWS: OptionGroup;
}

macro_rules! pages {
    ($($(#[$doc:meta])* $name:ident = $rows:path;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;
        impl Page for $name {
            const ROWS: OptionGroup = $rows;
        })*
    };
}

pages! {
    /// Options of the specification as a whole.
    General = spec::GENERAL;
    /// Options of the load and its length.
    Load = spec::LOAD;
    /// sysbench's data and statements.
    Workload = spec::WORKLOAD;
    /// TPC-C.
    Tpcc = spec::TPCC;
    /// Repeats and order.
    Design = spec::DESIGN;
    /// The search for a capacity.
    Capacity = spec::CAPACITY;
    /// The search for differences.
    Bisect = spec::BISECT;
}

/// The options of a page that were set.
#[derive(Debug, Clone)]
pub struct Flags<P>(Vec<Edit>, PhantomData<P>);

impl<P> std::default::Default for Flags<P> {
    fn default() -> Self {
        Self(Vec::new(), PhantomData)
    }
}

/// Values of several pages.
pub fn values<'a>(pages: impl IntoIterator<Item = &'a [Edit]>) -> Values {
    Values::default().with(pages.into_iter().flatten().cloned())
}

impl<P> AsRef<[Edit]> for Flags<P> {
    fn as_ref(&self) -> &[Edit] {
        &self.0
    }
}

impl<P: Page> Args for Flags<P> {
    fn augment_args(command: Command) -> Command {
        command.args(P::ROWS.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<P: Page> FromArgMatches for Flags<P> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut edits = Vec::new();
        for row in P::ROWS {
            let id = id(row);
            if matches.value_source(&id) != Some(ValueSource::CommandLine) {
                continue;
            }
            let all = matches.get_many::<String>(&id).expect("an option with a source has a value");
            let between = row.kind.between().unwrap_or(',').to_string();
            let edit = Edit::read(row, &all.cloned().collect::<Vec<_>>().join(&between));
            edits.push(
                edit.map_err(|wrong| clap::Error::raw(clap::error::ErrorKind::ValueValidation, wrong))?,
            );
        }
        Ok(Self(edits, PhantomData))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The id under which clap knows an option.
pub fn id(row: &OptionRow) -> String {
    row.flag().replace('-', "_")
}

fn argument(row: &'static OptionRow) -> Arg {
    let mut arg = Arg::new(id(row))
        .long(row.flag())
        .value_name(row.value_name())
        .help(row.help())
        .help_heading(row.heading)
        .action(if row.kind.between().is_some() { ArgAction::Append } else { ArgAction::Set })
        .visible_aliases(row.aliases.iter().copied())
        .aliases(row.hidden_aliases.iter().copied());
    arg = match row.kind {
        Kind::Choice(names) => arg.value_parser(possible(names)).ignore_case(true),
        kind => arg.value_parser(move |text: &str| kind.parse(text).map(|_| text.to_owned())),
    };
    if let Some(bare) = row.bare() {
        arg = arg.num_args(0..=1).require_equals(true).default_missing_value(bare);
    }
    match row.default {
        Default::Is(text) => arg.default_value(text),
        Default::Hidden(text) => arg.default_value(text).hide_default_value(true),
        Default::None(_) => arg,
    }
}

fn possible(names: &'static [(&'static str, &'static str)]) -> PossibleValuesParser {
    PossibleValuesParser::new(names.iter().map(|(name, help)| PossibleValue::new(*name).help(*help)))
}

/// Numbers of clients, for verbs that need nothing else of the load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clients(pub Vec<u32>);

/// Reads numbers of clients.
pub fn clients(text: &str) -> Result<Clients, String> {
    match Kind::Clients.parse(text)? {
        spec::Value::Clients(list) => Ok(Clients(list)),
        _ => unreachable!("a list of clients is of its kind"),
    }
}

impl From<Wrong> for UserError {
    fn from(wrong: Wrong) -> Self {
        let row = wrong.path.and_then(spec::row);
        let message = match row {
            Some(row) => format!("--{}: {}", row.flag(), wrong.why),
            None => wrong.why,
        };
        Self { hint: wrong.hint, ..Self::usage(message) }
    }
}

/// Refuses options that none of the workloads has: they would be ignored silently.
pub fn refuse_foreign(
    workloads: &[spec::NamedWorkload],
    is_typed: &dyn Fn(&str) -> bool,
) -> Result<(), UserError> {
    let foreign =
        |row: &&OptionRow| is_typed(&id(row)) && !workloads.iter().any(|workload| workload.has(row));
    let Some(row) = spec::TPCC.iter().chain(spec::WORKLOAD).find(foreign) else { return Ok(()) };
    let names = workloads.iter().map(|workload| workload.name()).collect::<Vec<_>>().join(", ");
    let owner = spec::owner_of(row);
    Err(UserError::usage(format!("--{} does not apply to {names}", row.flag()))
        .hint(format!("it is an option of {owner}: leave it out, or choose that workload")))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        load: Flags<Load>,
        #[command(flatten)]
        data: Flags<Workload>,
    }

    fn values(words: &[&str]) -> Values {
        let line = Line::try_parse_from(["test"].iter().chain(words)).expect("words that clap accepts");
        super::values([line.load.as_ref(), line.data.as_ref()])
    }

    #[test]
    fn only_what_was_typed_is_an_edit() {
        assert_eq!(values(&[]), Values::default());
        let typed = values(&["--table-size=1M", "--skip-trx", "--auto-inc=off", "--terminals", "1..4"]);
        let set: Vec<_> = typed.edits().map(|edit| (edit.row.path, edit.text.as_str())).collect();
        assert_eq!(
            set,
            [
                ("load.clients", "1..4"),
                ("workload.auto_inc", "off"),
                ("workload.skip_trx", "on"),
                ("workload.table_size", "1M")
            ]
        );
    }

    #[test]
    fn impossible_values_are_refused() {
        for word in [
            "--tables=0",
            "--table-size=0",
            "--table-size=3G",
            "--range-size=0",
            "--rand-pareto-h=1",
            "--rand-pareto-h=nan",
            "--rand-zipfian-exp=0",
            "--rand-spec-pct=101",
            "--rand-spec-iter=0",
            "--mysql-storage-engine=inno db",
            "--mysql-ignore-errors=deadlock",
            "--arrivals=sometimes",
        ] {
            assert!(Line::try_parse_from(["test", word]).is_err(), "{word}");
        }
    }
}
