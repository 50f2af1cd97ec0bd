//! `mydyno compare`: is the other side faster or slower than the base, where, and how sure is that; and gates for CI.

use analysis::Comparison;
use analysis::contest::{Gate, NAMES, Point, Standing, metric_of};
use clap::{Args, ValueEnum};
use messages::number::change_interval;
use messages::{Words, message};
use report::price::{Given, Price};
use report::versus::{Side, Versus, versus};
use serde::Serialize;
use store::Results;

use super::pick::{labels, pick};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::options::output::{Lang, ResultsArgs};
use crate::output;

/// Arguments of `compare`.
#[derive(Args)]
pub struct CompareArgs {
    /// Base recording: id, unique prefix, directory, or latest; RECORDING:TARGET selects one of its targets
    #[arg(value_name = "BASE")]
    base: String,
    /// Recording to compare with it; may be another target of the same recording
    #[arg(value_name = "OTHER")]
    other: String,
    /// Metrics to compare: throughput, queries, tpmc, mean, p50, p95, p99, p99.9, p99.99, max; those of --fail-on are added. Two
    /// searches are compared by their capacity
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "throughput,p95,p99")]
    metrics: Vec<String>,
    /// Equivalence margin, in percent of the base
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = margin)]
    margin: f64,
    /// Add a gate (repeatable): throughput<-3%, p99>+10%, capacity<-5%. Exit 3 if the change exceeds the bound and is significant, 4 if the
    /// data cannot decide: a cell is not valid, has a single trial, or the change exceeds the bound and is not significant
    #[arg(long, value_name = "GATE", value_parser = Gate::parse)]
    fail_on: Vec<Gate>,
    /// Price of an hour, to compare transactions per unit of money: base=0.45 and other=0.60 in US dollars, or base=0.45eur.
    /// Overrides the price_usd_hour (or price_*_hour) that --instance recorded
    #[arg(long, value_name = "SIDE=PRICE", value_parser = price)]
    price: Vec<(Which, Price)>,
    /// Output format
    #[arg(long, default_value = "text", help_heading = "Output")]
    format: CompareFormat,
    /// Language of the output
    #[arg(long, default_value = "en", help_heading = "Output")]
    lang: Lang,
    #[command(flatten)]
    #[allow(missing_docs)]
    results: ResultsArgs,
}

/// Forms of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CompareFormat {
    /// Aligned columns.
    Text,
    /// For a pull request.
    Markdown,
    /// Everything.
    Json,
}

/// A side of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    Base,
    Other,
}

fn price(text: &str) -> Result<(Which, Price), String> {
    let (side, price) = text.split_once('=').unwrap_or((text, ""));
    let side = match side.trim() {
        "base" => Which::Base,
        "other" => Which::Other,
        _ => return Err("write base=PRICE or other=PRICE, such as base=0.45 or other=0.60eur".to_owned()),
    };
    Ok((side, Price::parse(price.trim())?))
}

/// `--margin`.
pub fn margin(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    let number = number.filter(|number| (0.0..50.0).contains(number));
    number.map(|percent| percent / 100.0).ok_or_else(|| "it is a number of percent from 0 to 50".to_owned())
}

/// A gate at a point where it does not hold.
#[derive(Debug, Serialize)]
struct Stop {
    gate: String,
    other: String,
    workload: String,
    threads: u32,
    ratio: f64,
    low: Option<f64>,
    high: Option<f64>,
    standing: Standing,
    /// The reason it is inconclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Words>,
}

/// The whole answer, for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    versus: &'a Versus,
    gates: Vec<String>,
    stops: &'a [Stop],
    /// Gates that are undetermined, and why.
    untold: &'a [(String, Words)],
}

/// Compares, and ends according to the gates.
pub fn compare(args: &CompareArgs) -> Outcome<Exit> {
    let results = Results::open(&args.results.results);
    let (base, base_target) = pick(&args.base, &results)?;
    let (other, other_target) = pick(&args.other, &results)?;
    if base.path == other.path && (base_target.is_none() || base_target == other_target) {
        let own = labels(&base).map(|label| format!("{}:{label}", base.id)).collect::<Vec<_>>().join(" ");
        return Err(UserError::usage("both sides are the same").hint(format!("its targets are: {own}")));
    }
    let mut metrics = Vec::new();
    for name in args.metrics.iter().map(String::as_str) {
        let metric = metric_of(name).ok_or_else(|| {
            let known = NAMES.map(|(short, _)| short).join(", ");
            UserError::usage(format!("there is no metric '{name}'")).hint(format!("it is one of {known}"))
        })?;
        metrics.push(metric);
    }
    for gate in &args.fail_on {
        if !metrics.iter().any(|metric| metric.id == gate.metric.id) {
            metrics.push(gate.metric);
        }
    }
    let sides = [(&base, base_target), (&other, other_target)].map(|(run, target)| Side { run, target });
    let mut found = versus(sides[0], sides[1], &metrics, args.margin)?;
    let given =
        |which| args.price.iter().rev().find(|(own, _)| *own == which).map(|(_, price)| price.clone());
    let given = Given { base: given(Which::Base), other: given(Which::Other) };
    report::price::add(&mut found, sides[0], sides[1], &given);
    let stops = stops(&found, &args.fail_on);
    if found.pairs.iter().all(|pair| pair.points.is_empty()) {
        let why = found.notes.first().map(|words| words.en.clone()).unwrap_or_default();
        return Err(UserError::failed("no cell completed on both sides").hint(why));
    }
    let untold = untold(&found, &args.fail_on);
    print(args, &found, &stops, &untold)?;
    Ok(match exit(&stops) {
        Exit::Ok if !untold.is_empty() => Exit::Invalid,
        exit => exit,
    })
}

/// Gates that hold because there is nothing to compare, with the reason.
fn untold(found: &Versus, gates: &[Gate]) -> Vec<(String, Words)> {
    let missing = || found.pairs.iter().flat_map(|pair| pair.missing.iter());
    let mut untold = Vec::new();
    for gate in gates {
        let measured = |point: &Point| point.comparison.metric == gate.metric.id;
        if !found.pairs.iter().flat_map(|pair| &pair.points).any(measured) {
            untold.push((gate.text.clone(), message!("gate-without-cell")));
        }
        untold.extend(missing().map(|what| (gate.text.clone(), what.clone())));
    }
    untold
}

fn stops(found: &Versus, gates: &[Gate]) -> Vec<Stop> {
    let at = |gate: &Gate, other: &str, point: &Point| {
        let standing = gate.standing(point).filter(|standing| *standing != Standing::Holds)?;
        let c = &point.comparison;
        Some(Stop {
            gate: gate.text.clone(),
            other: other.to_owned(),
            workload: c.workload.clone(),
            threads: c.threads,
            ratio: c.ratio,
            low: c.low,
            high: c.high,
            standing,
            why: (standing == Standing::CannotTell).then(|| why(c)),
        })
    };
    let points = || found.pairs.iter().flat_map(|pair| pair.points.iter().map(|p| (pair.other.as_str(), p)));
    gates.iter().flat_map(|gate| points().filter_map(|(other, point)| at(gate, other, point))).collect()
}

/// The reason a gate is inconclusive at a point.
fn why(c: &Comparison) -> Words {
    match (&c.withheld, c.low) {
        (Some(withheld), _) => message!("cell-not-valid", why = Message(withheld.clone())),
        (None, None) => message!("gate-of-single-trial"),
        (None, Some(_)) => message!("gate-not-significant"),
    }
}

fn exit(stops: &[Stop]) -> Exit {
    let any = |standing| stops.iter().any(|stop| stop.standing == standing);
    if any(Standing::Failed) {
        Exit::Gate
    } else if any(Standing::CannotTell) {
        Exit::Invalid
    } else {
        Exit::Ok
    }
}

fn print(args: &CompareArgs, found: &Versus, stops: &[Stop], untold: &[(String, Words)]) -> Outcome<()> {
    let lang = args.lang.of_report();
    let text = match args.format {
        CompareFormat::Json => {
            let gates = args.fail_on.iter().map(|gate| gate.text.clone()).collect();
            let answer = Answer { versus: found, gates, stops, untold };
            return output::print(
                &serde_json::to_string_pretty(&answer).expect("it has only string keys and plain values"),
            );
        }
        CompareFormat::Text => report::render::versus::text(found, lang),
        CompareFormat::Markdown => report::render::versus::markdown(found, lang),
    };
    let mut lines = Vec::new();
    for gate in &args.fail_on {
        let own: Vec<&Stop> = stops.iter().filter(|stop| stop.gate == gate.text).collect();
        let open: Vec<_> = untold.iter().filter(|(text, _)| *text == gate.text).collect();
        lines.extend(open.iter().map(|(text, why)| {
            message!("compare-gate-undetermined", gate = Text(text.clone()), why = Message(why.clone()))
        }));
        if own.is_empty() && open.is_empty() {
            let points = found.pairs.iter().flat_map(|pair| &pair.points);
            lines.push(message!(
                "compare-gate-holds",
                gate = Text(gate.text.clone()),
                power = Message?(gate.power(points)),
            ));
        }
        for stop in own {
            let interval = stop.low.zip(stop.high).map(|(low, high)| change_interval(low, high));
            lines.push(message!(
                "compare-gate-stops",
                gate = Text(stop.gate.clone()),
                standing = Word(if stop.standing == Standing::Failed { "failed" } else { "unknown" }),
                clients = Count(stop.threads),
                workload = Text(stop.workload.clone()),
                change = Change(stop.ratio),
                interval = Message?(interval),
                why = Message?(stop.why.clone()),
            ));
        }
    }
    let lines: Vec<String> = lines.into_iter().map(|words| lang.said(words)).collect();
    let gates = if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join("\n")) };
    output::print(&format!("{}{gates}", text.trim_end_matches('\n').to_owned() + "\n"))
}
