//! Converts a plan's values back to the options that produce them.

use model::{Arrivals, Design, LoadShape, Restore, Spec, WorkloadSpec};

use crate::bisect::bisect_of;
use crate::capacity::capacity_of;
use crate::document::{Document, WorkloadEntry};
use crate::edits::{edits, on_off};
use crate::general::general_of;
use crate::kind::event;
use crate::target::TargetSpec;
use crate::values::{Edit, Values, Wrong};
use crate::workload::{NamedWorkload, options_of};

fn load_of(load: &LoadShape) -> Vec<Edit> {
    let mut list = vec![
        ("time", load.time_s.to_string()),
        ("warmup", load.warmup_s.to_string()),
        ("events", load.events.to_string()),
        ("think_time", load.think_s.to_string()),
    ];
    if let Some(rate) = &load.rate {
        let arrivals = if rate.arrivals == Arrivals::Constant { "constant" } else { "poisson" };
        list.extend([("rate", rate.describe()), ("arrivals", arrivals.to_owned())]);
    }
    list.extend(load.in_flight.map(|number| ("in_flight", number.to_string())));
    list.extend(load.workers.map(|number| ("workers", number.to_string())));
    list.extend(load.failover.into_iter().flat_map(|failover| {
        [("failover", failover.loss.name().to_owned()), ("failover_at", failover.at_s.to_string())]
    }));
    if !load.planned_events.is_empty() {
        list.push(("event", event::text(&load.planned_events)));
    }
    list.extend(load.crash.map(|kind| ("crash", kind.name().to_owned())));
    edits("load", list)
}

fn design_of(design: &Design, repeats: u32) -> Vec<Edit> {
    let restore = match design.restore {
        Restore::Written => "written",
        Restore::Changed => "changed",
        Restore::Reload => "reload",
    };
    let mut list = vec![
        ("repeats", repeats.to_string()),
        ("restore", restore.to_owned()),
        ("drift_check", on_off(design.drift_check)),
        ("cool_down", design.cool_down_s.to_string()),
        ("refine", on_off(design.refine)),
    ];
    if let Some(until) = design.until_sure {
        list.push(("until_sure", until.budget_s.unwrap_or(0.0).to_string()));
        list.push(("max_repeats", until.blocks_max.to_string()));
        list.push(("margin", (until.margin * 100.0).to_string()));
    }
    let mut all = edits("design", list);
    all.extend(design.capacity.iter().flat_map(capacity_of));
    all.extend(design.bisect.iter().flat_map(bisect_of));
    all
}

impl Document {
    /// The specification that produces a resolved one: factors are written out, target by target and workload by workload.
    ///
    /// # Errors
    /// Not every combination was run, which a product of targets and workloads cannot express; or another tool ran it.
    pub fn of(spec: &Spec) -> Result<Self, Wrong> {
        if !spec.design.only.is_empty() {
            return Err(Wrong::of("it lists combinations, which this form of specification cannot repeat"));
        }
        let entry = |(at, workload): (usize, &WorkloadSpec)| {
            let kind = NamedWorkload::of(workload)
                .ok_or_else(|| Wrong::of("another tool ran it: there is nothing to run again"))?;
            let own = spec.design.variants.get(at).and_then(|variant| variant.load.as_ref());
            Ok(WorkloadEntry {
                label: (workload.label() != workload.name()).then(|| workload.label().to_owned()),
                kind: Some(kind),
                values: Values::default().with(options_of(workload)),
                load: Values::default().with(own.map(load_of).into_iter().flatten()),
            })
        };
        let clients: Vec<String> = spec.threads.iter().map(u32::to_string).collect();
        let numbers = edits("load", [("clients", clients.join(","))]);
        let values = Values::default().with(load_of(&spec.load)).with(design_of(&spec.design, spec.repeats));
        let about = spec.about.as_ref();
        Ok(Self {
            experiment: about.map(|about| about.experiment.clone()),
            question: about.map(|about| about.question.clone()),
            question_zh: about.and_then(|about| about.question_zh.clone()),
            published: about.and_then(|about| about.published.clone()),
            published_zh: about.and_then(|about| about.published_zh.clone()),
            shows: about.and_then(|about| about.shows.clone()),
            shows_zh: about.and_then(|about| about.shows_zh.clone()),
            is_quick: about.is_some_and(|about| about.quick),
            targets_are_arms: about.is_some_and(|about| about.arms),
            values: values.with(numbers).with(general_of(spec)?),
            targets: spec.targets.iter().map(TargetSpec::of).collect(),
            workloads: spec.workloads.iter().enumerate().map(entry).collect::<Result<_, Wrong>>()?,
            ..Self::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::values;

    #[test]
    fn load_and_design_are_made_again() {
        let edits = [
            ("load.rate", "100:5,100..200:5,200"),
            ("load.arrivals", "constant"),
            ("load.time", "20"),
            ("load.in_flight", "7"),
            ("load.crash", "power"),
            ("load.failover", "freeze"),
            ("load.failover_at", "7"),
            ("load.event", "3s kill 2; 5s set sync_binlog=0"),
            ("load.think_time", "0.25"),
            ("design.until_sure", "20m"),
            ("design.margin", "2.5"),
            ("design.restore", "reload"),
            ("design.cool_down", "3"),
        ];
        let values = values(&edits);
        let shape = crate::shape(&values, crate::SWEEP).expect("valid");
        let again = crate::shape(&Values::default().with(load_of(&shape)), crate::RUN).expect("valid");
        assert_eq!(again, shape);
        let design = crate::design(&values).expect("valid");
        let again = crate::design(&Values::default().with(design_of(&design, 3))).expect("valid");
        assert_eq!(again, design);
    }
}
