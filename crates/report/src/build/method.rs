//! How an experiment was made, from its plan.

use analysis::Words;
use model::{Plan, SpecTarget, Why};

use super::input::RunInput;
use crate::format::thousands;
use crate::view::{ArmView, Method};

/// The method of recordings of one experiment; none without a recording.
pub fn method(inputs: &[RunInput], targets: &[&SpecTarget]) -> Option<Method> {
    let first = inputs.first()?;
    Some(Method { arms: arms(targets), says: says(first, inputs) })
}

/// What of each target's word is not in those of all others.
fn arms(targets: &[&SpecTarget]) -> Vec<ArmView> {
    let parts: Vec<Vec<String>> = targets.iter().map(|target| spec::TargetSpec::of(target).parts()).collect();
    let is_common = |part: &String| parts.iter().all(|other| other.contains(part));
    let arm = |(target, own): (usize, &Vec<String>)| ArmView {
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
    let trials_zh = thousands(trials as u64);
    let trials = if trials == 1 { "1 trial".to_owned() } else { format!("{trials_zh} trials") };
    let seed = plan.spec.seed;
    let order = Words::new(
        format!(
            "{trials} in {times}. A block holds every cell once. Each block has its own random order of workloads and numbers of \
             clients; the arms of a cell run next to each other, in random order. Seed {seed} determines order, keys and \
             arrivals."
        ),
        format!(
            "共 {trials_zh} 次试验，{repeats} 个区组。每个区组包含每个单元一次：负载与并发数的次序在每个区组中重新随机排列，各方案相邻且次序随机。\
             随机种子 {seed} 决定次序、键和到达时刻。"
        ),
    );
    vec![Some(order), Some(window(plan)), bookend(plan), Some(correction()), grown(plan)]
        .into_iter()
        .flatten()
        .chain(restored(inputs))
        .collect()
}

fn window(plan: &Plan) -> Words {
    match plan.spec.loads().as_slice() {
        [one] => {
            let (warmup, time) = (one.warmup_s, one.time_s);
            Words::new(
                format!("A trial measures {time} s after {warmup} s of warm-up."),
                format!("每次试验预热 {warmup} 秒后测量 {time} 秒。"),
            )
        }
        _ => Words::new(
            "Each workload has its own load: see the command and the plan.",
            "施压方式随负载不同：见命令与计划。",
        ),
    }
}

/// Which comparisons share a chance of error.
fn correction() -> Words {
    Words::new(
        "Verdicts are corrected (Holm, 5 %) over all workloads and numbers of clients of one target against another, by \
         throughput; other metrics are a family of their own.",
        "结论按吞吐量对一个目标与另一目标的所有负载和并发数作 Holm 校正（5 %）；其他指标另成一组。",
    )
}

fn bookend(plan: &Plan) -> Option<Words> {
    plan.trials.iter().any(|trial| trial.why == Why::Bookend).then(|| {
        Words::new(
            "The first cell was repeated at the end as a drift check; that trial counts in no figure.",
            "首个单元在结束时重测一次，仅用于检查漂移，不计入任何数值。",
        )
    })
}

/// Trials that were not asked for from the beginning.
fn grown(plan: &Plan) -> Option<Words> {
    let count = |why: Why| plan.trials.iter().filter(|trial| trial.why == why).count();
    let (undecided, refined) = (count(Why::Undecided), count(Why::Refined));
    let mut said = Vec::new();
    if let Some(until) = plan.spec.design.until_sure {
        let most = until.blocks_max;
        said.push(Words::new(
            format!(
                "Blocks were added until every arm differed significantly from the first or was equivalent to it (at most {most} \
                 blocks); trials added: {undecided}. Intervals are confidence sequences, valid at every look, hence wider."
            ),
            format!("区组不断增加，直到每个方案与首个方案有显著差异或相当（最多 {most} 个区组），共增加 {undecided} 次试验。区间为置信序列，随时查看均有效，因此更宽。"),
        ));
    }
    if refined > 0 {
        said.push(Words::new(
            format!(
                "Trials added between numbers of clients where a curve collapsed or two crossed: {refined}."
            ),
            format!("在曲线骤降或交叉的并发数之间增加的试验：{refined} 次。"),
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
            Words::new("The data were restored before each trial.", "每次试验前都恢复了数据。")
        } else {
            Words::new(
                "The data were not restored before every trial: later trials see what earlier ones wrote.",
                "并非每次试验前都恢复了数据：后面的试验会看到前面写入的内容。",
            )
        }
    })
}
