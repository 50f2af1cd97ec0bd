//! Recordings of searches: their capacities against each other.

use analysis::contest::{Point, contest_of_capacities};
use analysis::{Capacity, Words};
use messages::message;
use model::CapacitySearch;

use crate::build::input::RunInput;

/// The search of a recording; none if it measures only planned points.
pub(super) fn search(run: &RunInput) -> Option<&CapacitySearch> {
    run.plan.spec.design.capacity.as_ref()
}

/// A target of a recording, and its name here.
#[derive(Clone, Copy)]
pub(super) struct Searched<'a> {
    pub run: &'a RunInput,
    pub label: &'a str,
    pub name: &'a str,
}

impl Searched<'_> {
    fn capacities(self) -> Vec<Capacity> {
        let mut found = capacities(self.run);
        found.retain(|one| one.target == self.label);
        found
    }
}

/// Every capacity of a recording.
pub fn capacities(run: &RunInput) -> Vec<Capacity> {
    let results: Vec<_> = run.trials.iter().filter_map(|trial| trial.result.clone()).collect();
    analysis::capacities(&run.plan, &results)
}

/// Points of the workloads and numbers of clients that both searched, and why there is none of the others.
pub(super) fn points(base: Searched<'_>, other: Searched<'_>, margin: f64) -> (Vec<Point>, Vec<Words>) {
    let slo = |one: Searched<'_>| search(one.run).map(|search| search.slo.clone()).unwrap_or_default();
    if slo(base) != slo(other) {
        let why = message!(
            "conditions-differ",
            base = Text(base.name),
            of_base = Text(slo(base).join(", ")),
            other = Text(other.name),
            of_other = Text(slo(other).join(", ")),
        );
        return (Vec::new(), vec![why]);
    }
    let (mut points, mut missing) = (Vec::new(), Vec::new());
    let (of_base, of_other) = (base.capacities(), other.capacities());
    for one in &of_base {
        let same = |c: &&Capacity| c.workload == one.workload && c.threads == one.threads;
        let (workload, clients) = (one.workload.as_str(), one.threads);
        let Some(theirs) = of_other.iter().find(same) else {
            missing.push(message!(
                "searched-on-one-side",
                workload = Text(workload),
                clients = Count(clients),
                name = Text(base.name),
                lacking = Text(other.name),
            ));
            continue;
        };
        match contest_of_capacities(one, theirs, margin) {
            Some(point) if options(base.run, one) == options(other.run, theirs) => points.push(point),
            Some(_) => missing.push(message!(
                "search-options-differ",
                workload = Text(workload),
                clients = Count(clients)
            )),
            None => {
                let unknown = |of: Searched<'_>, capacity: &Capacity| {
                    capacity.per_s.is_none().then(|| {
                        message!(
                            "search-without-capacity",
                            workload = Text(workload),
                            clients = Count(clients),
                            says = Message(capacity.says.clone()),
                            name = Text(of.name),
                        )
                    })
                };
                missing.extend(unknown(base, one).into_iter().chain(unknown(other, theirs)));
            }
        }
    }
    (points, missing)
}

/// The options of the workload that a capacity is about.
fn options<'a>(run: &'a RunInput, of: &Capacity) -> Option<&'a model::WorkloadSpec> {
    run.plan.spec.workloads.iter().find(|workload| workload.label() == of.workload)
}
