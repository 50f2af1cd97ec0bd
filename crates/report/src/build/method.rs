//! How an experiment was made, from its plan.

use analysis::Words;
use model::{Plan, SpecTarget, Why};

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
    let repeats: u32 = inputs.iter().map(|input| input.plan.blocks()).sum();
    let times = if repeats == 1 { "one block".to_owned() } else { format!("{repeats} blocks") };
    let trials: usize = inputs.iter().map(|input| input.plan.trials.len()).sum();
    let trials = thousands(trials as u64);
    let seed = plan.seed;
    let order = Words::new(
        format!(
            "{trials} runs in {times}. A block has every cell once: workloads and numbers of clients in an order drawn anew for each \
             block, the arms of each next to each other and in random order too. Seed {seed} decides order, keys and \
             arrivals."
        ),
        format!(
            "共 {trials} 次运行，{repeats} 个区组。每个区组包含每个单元一次：负载与并发数的次序在每个区组中重新随机排列，各方案相邻且次序随机。\
             随机种子 {seed} 决定次序、键和到达时刻。"
        ),
    );
    vec![Some(order), Some(window(plan)), bookend(plan), grown(plan)]
        .into_iter()
        .flatten()
        .chain(restored(inputs))
        .collect()
}

fn window(plan: &Plan) -> Words {
    match plan.loads().as_slice() {
        [one] => {
            let (warmup, time) = (one.warmup_s, one.time_s);
            Words::new(
                format!("A run measures {time} s after {warmup} s of warm-up."),
                format!("每次运行预热 {warmup} 秒后测量 {time} 秒。"),
            )
        }
        _ => Words::new(
            "How load is offered varies with the workload: see the command and the plan.",
            "施压方式随负载不同：见命令与计划。",
        ),
    }
}

fn bookend(plan: &Plan) -> Option<Words> {
    plan.trials.iter().any(|trial| trial.why == Why::Bookend).then(|| {
        Words::new(
            "The first cell was run once more at the end, for drift alone: it counts in no figure.",
            "首个单元在结束时再运行一次，仅用于检查漂移，不计入任何数值。",
        )
    })
}

/// Trials that were not asked for from the beginning.
fn grown(plan: &Plan) -> Option<Words> {
    let count = |why: Why| plan.trials.iter().filter(|trial| trial.why == why).count();
    let (undecided, refined) = (count(Why::Undecided), count(Why::Refined));
    let mut said = Vec::new();
    if let Some(until) = plan.design.until_sure {
        let most = until.blocks_max;
        said.push(Words::new(
            format!(
                "Blocks were added until each arm could be told apart from the first, at most {most}: {undecided} runs. The \
                 intervals are those of a rule that may be looked at after every block, and are wider for that."
            ),
            format!("区组不断增加，直到每个方案都能与首个方案区分，最多 {most} 个：共增加 {undecided} 次运行。区间来自可在每个区组后查看的规则，因此更宽。"),
        ));
    }
    if refined > 0 {
        said.push(Words::new(
            format!(
                "{refined} runs were added at numbers of clients between those at which something happened."
            ),
            format!("在出现突变的并发数之间增加了 {refined} 次运行。"),
        ));
    }
    (!said.is_empty()).then(|| Words::join(&said, " ", ""))
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
