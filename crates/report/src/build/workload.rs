//! Workloads as the view has them.

mod facts;
mod imported;
mod lua;
mod statements;
mod sysbench;
mod tpcc;

use model::{WorkloadSpec, for_workload};

use self::facts::Facts;
use crate::view::WorkloadView;

/// A workload under the label it has in the view.
pub fn workload(spec: &WorkloadSpec, label: String) -> WorkloadView {
    let facts: &dyn Facts = for_workload!(spec, options => options);
    WorkloadView {
        label,
        name: spec.name().to_owned(),
        summary: spec.summary().to_owned(),
        summary_zh: spec.summary_zh().to_owned(),
        facts: facts.facts(),
        options: options(spec),
    }
}

/// Every option by its flag.
fn options(workload: &WorkloadSpec) -> std::collections::BTreeMap<String, String> {
    spec::options_of(workload).into_iter().map(|edit| (edit.row.flag(), edit.text)).collect()
}
