//! How an experiment was made, from its plan.

use analysis::Words;
use model::SpecTarget;

use super::command;
use super::input::RunInput;
use crate::format::thousands;
use crate::view::{Arm, Method};

/// The method of recordings of one experiment; none without a recording.
pub fn method(inputs: &[RunInput], targets: &[&SpecTarget]) -> Option<Method> {
    let first = inputs.first()?;
    Some(Method { arms: arms(targets), says: says(first, inputs) })
}

/// What of each target's word is not in those of all others.
fn arms(targets: &[&SpecTarget]) -> Vec<Arm> {
    let parts: Vec<Vec<String>> = targets.iter().map(|target| command::parts(target)).collect();
    let is_common = |part: &String| parts.iter().all(|other| other.contains(part));
    let arm = |(target, own): (usize, &Vec<String>)| Arm {
        target,
        differs: own.iter().filter(|part| !is_common(part)).cloned().collect(),
    };
    parts.iter().enumerate().map(arm).collect()
}

fn says(first: &RunInput, inputs: &[RunInput]) -> Vec<Words> {
    let plan = &first.plan;
    let repeats: u32 =
        inputs.iter().map(|input| input.plan.trials.iter().map(|t| t.cell.repeat).max().unwrap_or(0)).sum();
    let times = if repeats == 1 { "one repeat".to_owned() } else { format!("{repeats} repeats") };
    let trials: usize = inputs.iter().map(|input| input.plan.trials.len()).sum();
    let trials = thousands(trials as u64);
    let seed = plan.seed;
    let order = Words::new(
        format!(
            "{trials} runs in {times}, each a complete block: every workload, number of clients and arm once, the arms \
             next to each other, and another arm first in each block. Seed {seed} decides keys and arrivals."
        ),
        format!(
            "共 {trials} 次运行，{repeats} 次重复，每次为一个完整区组：每个负载、并发数和方案各一次，各方案相邻，每个区组由不同方案\
             开始。随机种子 {seed} 决定键和到达时刻。"
        ),
    );
    let (warmup, time) = (plan.load.warmup_s, plan.load.time_s);
    let window = Words::new(
        format!("A run measures {time} s after {warmup} s of warm-up."),
        format!("每次运行预热 {warmup} 秒后测量 {time} 秒。"),
    );
    vec![order, window].into_iter().chain(restored(inputs)).collect()
}

/// Whether every run met the same data; none if none was completed.
fn restored(inputs: &[RunInput]) -> Option<Words> {
    let results: Vec<_> =
        inputs.iter().flat_map(|input| &input.trials).filter_map(|t| t.result.as_ref()).collect();
    let all = results.iter().all(|result| result.data_restored);
    (!results.is_empty()).then(|| {
        if all {
            Words::new("The data were put back before each run.", "每次运行前都恢复了数据。")
        } else {
            Words::new(
                "The data were not put back before every run: later ones meet what earlier ones wrote.",
                "并非每次运行前都恢复了数据：后面的运行会遇到前面写入的内容。",
            )
        }
    })
}
