//! `doctor --prove`: each recommendation that is a setting is tried on a sandbox against the current settings.

use std::collections::BTreeMap;

use knowledge::doctor::Recommendation;
use messages::message;
use model::{
    Durability, Examination, RecommendationTrials, SpecTarget, TriedRecommendation, UntriedReason,
    UntriedRecommendation,
};
use spec::{Edit, NamedWorkload, Values};

use super::conduct::{Job, Showing};
use super::doctor::{DoctorArgs, NoteFormat, examined};
use super::planned::sentence;
use super::surroundings::Surroundings;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::given::Given;
use crate::options::flags;
use crate::options::output::{Format, OutputArgs};
use crate::{output, specify};

/// Label of the arm that has the settings of all recommendations.
const TOGETHER: &str = "together";

/// Diagnoses a sandbox, and tries the recommendations for it with a workload.
pub fn prove(given: &Given, args: &DoctorArgs, workload: &NamedWorkload) -> Outcome<Exit> {
    flags::refuse_foreign(std::slice::from_ref(workload), &|id| given.typed.has(id))?;
    let values = values(args, workload)?;
    let found = examined(given, args, |targets| provable(targets).map(|_| ()))?;
    let target = provable(&found.targets)?;
    let [(note, seen)] = found.servers.as_slice() else { return Ok(Exit::Ok) };
    if matches!(args.format, NoteFormat::Text) {
        output::print(&note.text(args.full, args.lang.of_report()))?;
    }
    let trials = sorted(seen, note.advice());
    if trials.tried.is_empty() {
        output::note(&args.lang.of_report().said(message!("prove-nothing")));
        return Ok(Exit::Ok);
    }
    let plan = message!(
        "prove-plan",
        tried = Count(trials.tried.len() as u64),
        other = Count(trials.not_tried.len() as u64)
    );
    output::note(&args.lang.of_report().said(plan));
    let surroundings = Surroundings::new(given);
    let request = specify::ProofRequest { target, workload, values, trials, connection: &args.connection };
    let made = surroundings.with_context(|context| specify::of_proof(request, context))?;
    let job = Job::new(made)?;
    output::note(&sentence(&job.plan));
    let format = match args.format {
        NoteFormat::Text => Format::Text,
        NoteFormat::Json => Format::Json,
    };
    let shown = OutputArgs::plain(format, args.lang);
    job.conduct(&surroundings, &Showing { output: &shown, results: &args.results, note: None })
}

/// The only target, if recommendations for it can be tried.
fn provable(targets: &[SpecTarget]) -> Outcome<&SpecTarget> {
    match targets {
        [one] if one.target.is_sandbox() => Ok(one),
        [_] => Err(UserError::usage("--prove tries settings on sandboxes, never on an external server")
            .hint("name a sandbox with its settings, such as sandbox:mysql?like=mysql://user@host")),
        several => {
            Err(UserError::usage(format!("--prove takes one server, and {} are named", several.len())))
        }
    }
}

/// What is set of workload, load and design.
fn values(args: &DoctorArgs, workload: &NamedWorkload) -> Outcome<Values> {
    let read = |path: &str, text: &str| -> Outcome<Edit> {
        Ok(Edit::read(spec::row(path).expect("the table has it"), text)?)
    };
    let proof = &args.proof;
    let mut edits = vec![
        read("design.until_sure", &proof.budget)?,
        read("design.max_repeats", &proof.max_repeats)?,
        read("design.drift_check", "off")?,
    ];
    let clients = args.threads.as_ref().map(|list| list.0.as_slice()).unwrap_or_default();
    match clients {
        [] => {}
        [one] => edits.push(read("load.clients", &one.to_string())?),
        several => {
            return Err(UserError::usage(format!(
                "--prove takes one number of clients, and {} are given",
                several.len()
            ))
            .hint("for example --threads 8"));
        }
    }
    for (path, text) in [("load.time", &proof.time), ("load.warmup", &proof.warmup)] {
        edits.extend(text.as_ref().map(|text| read(path, text)).transpose()?);
    }
    let own = flags::values([args.data.as_ref(), args.tpcc.as_ref()]);
    let own = own.edits().filter(|edit| workload.has(edit.row)).cloned();
    Ok(Values::default().with(edits).with(own))
}

/// Recommendations that can be tried, and those that cannot.
fn sorted(seen: &Examination, advice: &[Recommendation]) -> RecommendationTrials {
    let durability = |set: &BTreeMap<String, String>| {
        let mut variables = seen.variables.clone();
        variables.extend(set.iter().map(|(name, value)| (name.clone(), value.clone())));
        Durability::of(&variables, &seen.status).0
    };
    let now = durability(&BTreeMap::new());
    let mut trials = RecommendationTrials::default();
    for one in advice {
        let then = durability(&one.set);
        let why = match () {
            () if one.set.is_empty() => Some(UntriedReason::NoSetting),
            () if then.is_worse_than(now) => Some(UntriedReason::WeakensDurability),
            () => None,
        };
        match why {
            Some(why) => trials.not_tried.push(UntriedRecommendation { id: one.id.clone(), why }),
            None => trials.tried.push(TriedRecommendation {
                id: one.id.clone(),
                target: one.id.clone(),
                set: one.set.clone(),
                raises_durability: now.is_worse_than(then),
            }),
        }
    }
    trials.together = (trials.tried.len() > 1).then(|| TOGETHER.to_owned());
    trials
}

#[cfg(test)]
mod tests {
    use knowledge::doctor::RecommendationSeverity;
    use messages::Words;
    use model::{Flavour, Variables};

    use super::*;

    fn advice(id: &str, set: &[(&str, &str)]) -> Recommendation {
        let texts = [(); 4].map(|()| Words::new("", ""));
        let set = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Recommendation { set, ..Recommendation::new(id, RecommendationSeverity::Low, texts, String::new()) }
    }

    #[test]
    fn what_weakens_durability_or_is_no_setting_is_not_tried() {
        let variables: Variables = [
            ("innodb_flush_log_at_trx_commit", "1"),
            ("log_bin", "ON"),
            ("sync_binlog", "0"),
            ("innodb_doublewrite", "ON"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        let seen = Examination::of(Flavour::Mysql, variables, Variables::new());
        let all = [
            advice("sync_binlog", &[("sync_binlog", "1")]),
            advice("full_scan", &[]),
            advice("relaxed", &[("innodb_flush_log_at_trx_commit", "0")]),
            advice("general_log", &[("general_log", "OFF")]),
        ];
        let trials = sorted(&seen, &all);
        let tried: Vec<_> = trials.tried.iter().map(|one| (one.id.as_str(), one.raises_durability)).collect();
        assert_eq!(tried, [("sync_binlog", true), ("general_log", false)]);
        let not_tried: Vec<_> = trials.not_tried.iter().map(|one| (one.id.as_str(), one.why)).collect();
        let expected =
            [("full_scan", UntriedReason::NoSetting), ("relaxed", UntriedReason::WeakensDurability)];
        assert_eq!(not_tried, expected);
        assert_eq!(trials.together.as_deref(), Some("together"));
    }
}
