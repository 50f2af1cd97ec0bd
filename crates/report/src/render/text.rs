//! The console: one screen, the answer first.

use analysis::Words;
use messages::message;
use model::{Failure, FailureCode};

use crate::View;
use crate::format::{ends, figure, thousands};
use crate::render::Latencies;
use crate::render::grid::{Align, grid, pad, width};
use crate::view::{Cell, CellStatus, ErrorRow, EstimateView, Latency, MemberView, TargetView};
use crate::words::{self, Lang};

/// The report for a terminal, in the language of the view.
pub fn text(view: &View, latencies: &Latencies) -> String {
    let lang = view.lang;
    let mut blocks = vec![answer(view)];
    blocks.extend(view.bisections.iter().map(|one| super::bisect::text(one, lang)));
    blocks.extend(super::versions::tables(view).into_iter().map(super::titled::TitledTable::text));
    blocks.extend(super::proof::tables(view).into_iter().map(super::titled::TitledTable::text));
    blocks.extend(view.capacities.iter().map(|one| super::capacity::text(one, lang)));
    blocks.extend(view.colocations.iter().map(|one| super::colocation::text(one, lang)));
    blocks.extend(super::serial::tables(view).into_iter().map(super::titled::TitledTable::text));
    blocks.extend(super::on_purpose(view).into_iter().map(super::titled::TitledTable::text));
    // The rates of a search are in its table.
    let workloads = if view.capacities.is_empty() { view.workloads.len() } else { 0 };
    for workload in 0..workloads {
        let cells: Vec<&Cell> = view.cells.iter().filter(|c| c.workload == workload).collect();
        match cells.as_slice() {
            [] => {}
            [only] => blocks.push(detail(view, only)),
            many => {
                blocks.push(table(view, workload, many));
                blocks.extend(curves(view, workload));
                blocks.extend(over_time(view, many));
                let routers: String =
                    super::router::lines(view, many).iter().map(|line| format!("- {line}\n")).collect();
                blocks.extend(Some(routers).filter(|lines| !lines.is_empty()));
                blocks.extend(super::tpcc::sweep(view, many));
                blocks.extend(super::stated::sweep(view, many));
                blocks.extend(errors(view, many));
            }
        }
    }
    blocks.extend(super::explained::tables(view).into_iter().map(super::titled::TitledTable::text));
    blocks.extend(super::profile::parts(view).into_iter().map(super::profile::ProfilePart::text));
    blocks.extend(interactions(view));
    blocks.extend(super::experiment::parts(view).iter().map(part));
    blocks.extend(failures(view));
    blocks.extend(names(view));
    blocks.extend(caveats(view));
    blocks.extend(targets(view));
    blocks.extend(super::server::advice(view));
    if latencies.histogram {
        blocks.extend(histograms(view));
    }
    blocks.extend(view.generator_share.iter().map(|share| format!("{}\n", lang.of(share))));
    blocks.join("\n")
}

/// Validity comes before the claim, which is only quoted where nothing valid supports it; then the differing variables that
/// are likely to matter, which a reader of the figures must know.
fn answer(view: &View) -> String {
    let lang = view.lang;
    let mut text = String::new();
    if let Some(about) = &view.about {
        let question = lang.said(message!("question", question = Text(words::question(about, lang))));
        text.push_str(&format!("{question}\n"));
    }
    text.push_str(&format!("{}\n{}\n", lang.of(&view.trust.summary), claim(view)));
    text.extend(super::explained::sentences(view).iter().map(|line| format!("{line}\n")));
    text.extend(view.candidates.iter().map(|line| format!("{}\n", lang.of(line))));
    text.extend(super::differing(view).iter().map(|line| format!("{line}\n")));
    text
}

/// The answer, marked where it is withdrawn.
fn claim(view: &View) -> String {
    let answer = view.lang.of(&view.answer);
    match view.trust.withdrawn && view.cells.iter().any(|cell| cell.runs_completed > 0) {
        true => view.lang.said(message!("withdrawn", answer = Text(answer))),
        false => answer.to_owned(),
    }
}

/// Whether the effect of an arm depends on the workload; none if there is nothing to report.
fn interactions(view: &View) -> Option<String> {
    let says = &view.interactions.says;
    let lines: String = says.iter().map(|words| format!("- {}\n", view.lang.of(words))).collect();
    (!lines.is_empty()).then_some(lines)
}

/// A heading, and under it a paragraph or a list.
fn part(part: &super::experiment::Part) -> String {
    let lines = match part.lines.as_slice() {
        [one] => format!("{one}\n"),
        several => several.iter().map(|line| format!("- {line}\n")).collect(),
    };
    format!("{}\n{lines}", part.title)
}

/// Clients down, targets across.
fn table(view: &View, workload: usize, cells: &[&Cell]) -> String {
    let lang = view.lang;
    let targets: Vec<usize> =
        (0..view.targets.len()).filter(|t| cells.iter().any(|c| c.target == *t)).collect();
    let mut threads: Vec<u32> = cells.iter().map(|c| c.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let of = |target: usize, n: u32| cells.iter().find(|c| c.target == target && c.threads == n);
    let column = |target: &usize| -> Vec<String> {
        threads.iter().map(|n| of(*target, *n).map_or(String::new(), |c| entry(c, lang))).collect()
    };
    let columns: Vec<Vec<String>> = targets.iter().map(column).collect();
    let first = &lang.column("clients");
    let mut text = heading(view, workload, cells);
    let mut line = pad(first, 7, Align::Right);
    let widths: Vec<usize> = targets
        .iter()
        .zip(&columns)
        .map(|(t, column)| {
            let entries = column.iter().map(|e| width(e)).max().unwrap_or(0);
            entries.max(width(&view.targets[*t].label) + 4)
        })
        .collect();
    for (target, width) in targets.iter().zip(&widths) {
        line.push_str("    ");
        line.push_str(&pad(&format!("    {}", view.targets[*target].label), *width, Align::Left));
    }
    push_line(&mut text, &line);
    for (i, n) in threads.iter().enumerate() {
        let mut line = pad(&thousands(u64::from(*n)), 7, Align::Right);
        for (column, width) in columns.iter().zip(&widths) {
            line.push_str("    ");
            line.push_str(&pad(&column[i], *width, Align::Left));
        }
        push_line(&mut text, &line);
    }
    text
}

/// Scaling, collapse and crossovers of a workload's curves, a line each.
fn curves(view: &View, workload: usize) -> Option<String> {
    let label = &view.workloads[workload].label;
    let crossing = view.overtakings.iter().filter(|one| one.workload == *label).map(|one| vec![&one.says]);
    let shape = view.curves.iter().filter(|curve| curve.workload == *label).map(|c| c.says.iter().collect());
    let line = |says: Vec<&Words>| {
        let clauses: Vec<Words> = says.into_iter().cloned().collect();
        (!clauses.is_empty()).then(|| format!("- {}\n", view.lang.said(Words::clauses(clauses))))
    };
    let text: String = crossing.chain(shape).filter_map(line).collect();
    (!text.is_empty()).then_some(text)
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

/// `oltp_read_write, transactions/s (p95 ms), 3 trials per cell, [95 % interval over the trials]`.
fn heading(view: &View, workload: usize, cells: &[&Cell]) -> String {
    let lang = view.lang;
    let runs = cells.iter().map(|c| c.runs_planned).max().unwrap_or(0);
    let label = &view.workloads[workload].label;
    let heading = message!("sweep-heading", workload = Text(label), trials = Count(runs.max(1)));
    format!("{}\n", lang.said(heading))
}

/// `332 [325, 339] ( 4.9)`, or why there is nothing.
fn entry(cell: &Cell, lang: Lang) -> String {
    let Some(throughput) = cell.throughput_per_s else {
        return match (&cell.failure, cell.status) {
            (Some(failure), _) => lang.said(entry_failed(failure)),
            (None, CellStatus::Failed) => lang.said(message!("entry-failed-silently")),
            (None, _) => lang.said(message!("entry-not-run")),
        };
    };
    let p95 = cell.p95_ms().map_or_else(|| "-".to_owned(), figure);
    let missing = if cell.status == CellStatus::Partial {
        format!("  {}/{}", cell.runs_completed, cell.runs_planned)
    } else {
        String::new()
    };
    format!("{:>7} {:<14} ({p95:>5}){missing}", figure(throughput.mean), ends(&throughput, lang))
}

/// The failure in a few words for a table; the whole reason follows below it.
fn entry_failed(failure: &Failure) -> Words {
    let what = match failure.code {
        FailureCode::Connect => "connect",
        FailureCode::ServerGone => "server-gone",
        FailureCode::Data => "data",
        FailureCode::Machine => "machine",
        FailureCode::Sandbox => "sandbox",
        FailureCode::Protocol => "protocol",
        FailureCode::ServerError | FailureCode::Other => "other",
    };
    message!(
        "entry-failed",
        what = Word(what),
        error = Text?(failure.server_error.map(|number| number.to_string())),
    )
}

/// Every figure of the only cell of a workload.
fn detail(view: &View, cell: &Cell) -> String {
    let lang = view.lang;
    let (workload, target) = (&view.workloads[cell.workload].label, &view.targets[cell.target].label);
    let heading = message!(
        "cell-heading",
        workload = Text(workload),
        target = Text(target),
        clients = Count(cell.threads),
    );
    let mut text = format!("{}\n", lang.said(heading));
    let Some(totals) = cell.totals else {
        text.push_str(&format!("  {}\n", entry(cell, lang)));
        return text;
    };
    let rate =
        |estimate: &Option<EstimateView>| estimate.as_ref().map_or(String::new(), |e| interval(e, lang));
    let mut rows = vec![
        vec![
            format!("  {}", lang.column("transactions")),
            thousands(totals.transactions),
            rate(&cell.throughput_per_s),
        ],
        vec![
            format!("  {}", lang.column("queries")),
            totals.queries.map_or_else(|| "-".to_owned(), thousands),
            rate(&cell.queries_per_s),
        ],
    ];
    rows.extend(cell.tpmc.map(|tpmc| vec!["  tpmC".to_owned(), figure(tpmc.mean), String::new()]));
    text.push_str(&grid(&rows, &[Align::Left, Align::Right, Align::Left]));
    match (&cell.tpcc, super::stated::table(cell, lang)) {
        // Its forty statements are on the page.
        (Some(tpcc), _) => text.push_str(&super::tpcc::table(tpcc, lang)),
        (None, Some(stated)) => text.push_str(&stated),
        (None, None) => text.push_str(&operations(cell, lang)),
    }
    text.extend(cell.by_server.iter().map(|says| format!("  {}\n", lang.of(says))));
    text.extend(network(cell, lang).map(|line| format!("  {line}\n")));
    let together =
        cell.together.iter().flat_map(|one| std::iter::once(&one.says).chain(&one.queues).chain(&one.reads));
    let router = cell.router.iter().map(|one| &one.says);
    let said = together.chain(&cell.simulated_network).chain(router);
    text.extend(said.map(|says| format!("  {}\n", lang.of(says))));
    text.extend(super::explained::cell(cell, lang).map(|line| format!("  {line}\n")));
    text.extend(costs(cell, lang));
    text.push_str(&super::server::cell(cell, lang));
    for error in &cell.errors {
        text.push_str(&format!("  {}\n", error_line(error, lang)));
    }
    if let Some(open) = &cell.open_loop {
        text.push_str(&format!("  {}\n", lang.of(&open.says)));
    }
    text.extend(super::over_time::cell(cell, lang).iter().map(|line| format!("  {line}\n")));
    text.push_str(&sustained(cell, lang));
    text
}

fn operations(cell: &Cell, lang: Lang) -> String {
    let latencies: Vec<Vec<String>> = cell
        .operations
        .iter()
        .flat_map(|o| {
            let row = |kind: &str, l: &Latency| {
                let origin = lang.said(message!("latency-kind", kind = Word(kind)));
                latency_row(&format!("  {}", o.name), &origin, o.count, l)
            };
            let response = o.response.map(|l| row("response", &l));
            [response, Some(row("service", &o.service))]
        })
        .flatten()
        .collect();
    if latencies.is_empty() {
        return String::new();
    }
    let mut title = vec![format!("  {}", lang.column("latency")), String::new()];
    title.extend(["min", "avg", "p50", "p95", "p99", "p99.9", "p99.99", "max"].map(str::to_owned));
    let mut rows = vec![title];
    rows.extend(latencies);
    let mut align = vec![Align::Left, Align::Left];
    align.extend([Align::Right; 8]);
    grid(&rows, &align)
}

/// A percentile beyond which there is not one value is only another name of the maximum, and left out.
fn latency_row(name: &str, origin: &str, count: u64, l: &Latency) -> Vec<String> {
    let beyond = |one_in: u64, ms: f64| (count >= one_in).then_some(ms);
    let figures = [
        Some(l.min_ms),
        Some(l.avg_ms),
        Some(l.p50_ms),
        beyond(20, l.p95_ms),
        beyond(100, l.p99_ms),
        beyond(1_000, l.p999_ms),
        beyond(10_000, l.p9999_ms),
        Some(l.max_ms),
    ];
    let mut row = vec![name.to_owned(), origin.to_owned()];
    row.extend(figures.map(|ms| ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2}"))));
    row
}

/// `server CPU 412 us   redo log 2,340 B   ...`, what a transaction cost the server, a few to a line.
fn costs(cell: &Cell, lang: Lang) -> Option<String> {
    const A_LINE: usize = 5;
    let shown: Vec<Words> = cell
        .costs
        .iter()
        .map(|cost| {
            let unit = if cost.unit.is_empty() { String::new() } else { format!(" {}", cost.unit) };
            format!("{} {}{unit}", lang.of(&cost.label), figure(cost.per_transaction)).into()
        })
        .collect();
    let servers = cell.operations.iter().filter(|one| one.kind == model::OperationKind::Server).count();
    let head = format!("  {}  ", lang.said(message!("per-transaction", servers = Count(servers as u64))));
    let indent = " ".repeat(width(&head));
    let lines = shown.chunks(A_LINE).enumerate().map(|(at, chunk)| {
        format!("{}{}\n", if at == 0 { &head } else { &indent }, lang.said(Words::parts(chunk.to_vec())))
    });
    (!shown.is_empty()).then(|| lines.collect())
}

/// `network  221 B sent and 1,043 B received per transaction; TLSv1.3 TLS_AES_256_GCM_SHA384, 64 handshakes, 48 resumed`.
fn network(cell: &Cell, lang: Lang) -> Option<String> {
    let network = cell.network.as_ref()?;
    let bytes = |bytes: f64| bytes.round() as u64;
    let tls = network.tls.as_ref().map(|tls| {
        message!(
            "tls-used",
            version = Text(&tls.version),
            cipher = Text(&tls.cipher),
            handshakes = Count(tls.handshakes),
            resumed = Count(tls.resumed),
        )
    });
    Some(lang.said(message!(
        "network-line",
        sent = Count(bytes(network.sent_bytes)),
        received = Count(bytes(network.received_bytes)),
        tls = Message?(tls),
    )))
}

/// Behaviour of a sweep's cells over time, where there are findings.
fn over_time(view: &View, cells: &[&Cell]) -> Option<String> {
    let lines: String =
        super::over_time::sweep(view, cells).iter().map(|line| format!("- {line}\n")).collect();
    (!lines.is_empty()).then_some(lines)
}

/// Whether the throughput of each trial was sustained, where the trials are long enough.
fn sustained(cell: &Cell, lang: Lang) -> String {
    let mut text = String::new();
    for timeline in &cell.timelines {
        let Some(sustained) = &timeline.sustained else { continue };
        for clause in std::iter::once(&sustained.says).chain(&sustained.slower) {
            let said = match cell.timelines.len() {
                1 => lang.of(clause).to_owned(),
                _ => lang.said(message!(
                    "of-repeat",
                    repeat = Count(timeline.repeat),
                    text = Message(clause.clone()),
                )),
            };
            text.push_str(&format!("  {said}\n"));
        }
    }
    text
}

/// `870/s [860, 880]`.
fn interval(estimate: &EstimateView, lang: Lang) -> String {
    format!("{}/s {}", figure(estimate.mean), ends(estimate, lang)).trim_end().to_owned()
}

/// Errors of a sweep by cell and code, the most frequent first.
fn errors(view: &View, cells: &[&Cell]) -> Option<String> {
    /// Maximum number shown beside the figures; the page shows all.
    const MOST: usize = 5;
    let lang = view.lang;
    let mut found: Vec<(&Cell, ErrorRow)> = Vec::new();
    for cell in cells {
        for error in &cell.errors {
            let same =
                found.iter_mut().find(|(other, known)| other.id == cell.id && known.code == error.code);
            match same {
                Some((_, known)) => known.count += error.count,
                None => found.push((cell, error.clone())),
            }
        }
    }
    found.sort_by_key(|(_, error)| std::cmp::Reverse(error.count));
    let left_out = found.len().saturating_sub(MOST);
    let mut head = vec![format!("  {}", lang.column("errors"))];
    head.extend(["clients", "code", "count", "per-thousand"].map(|name| lang.column(name)));
    let mut rows = vec![head];
    for (cell, error) in found.iter().take(MOST) {
        let tried = cell.totals.map_or(0, |totals| totals.transactions) + error.count;
        rows.push(vec![
            format!("  {}", view.targets[cell.target].label),
            thousands(u64::from(cell.threads)),
            error.code.to_string(),
            thousands(error.count),
            figure(error.count as f64 / tried.max(1) as f64 * 1e3),
            lang.said(message!("error-in-row", end = Word(went_on(error)), message = Text(&error.message))),
        ]);
    }
    let align = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left];
    let mut text = grid(&rows, &align);
    if left_out > 0 {
        let more = lang.said(message!("more-errors", kinds = Count(left_out as u64)));
        text.push_str(&format!("  {more}\n"));
    }
    (!found.is_empty()).then_some(text)
}

fn went_on(error: &ErrorRow) -> &'static str {
    if error.forgiven { "retried" } else { "fatal" }
}

fn error_line(error: &ErrorRow, lang: Lang) -> String {
    lang.said(message!(
        "error-line",
        code = Text(error.code.to_string()),
        count = Count(error.count),
        end = Word(went_on(error)),
        message = Text(&error.message),
    ))
}

/// The caveats that are not in the line above the answer.
fn caveats(view: &View) -> Option<String> {
    let lines: String = super::further_reasons(view).iter().map(|line| format!("! {line}\n")).collect();
    (!lines.is_empty()).then_some(lines)
}

/// Every failed cell with its whole reason and what to do about it, and the trials that do not count.
fn failures(view: &View) -> Option<String> {
    let lang = view.lang;
    let mut text = String::new();
    for failure in view.runs.iter().filter_map(|run| run.failure.as_ref()) {
        let mut lines = failure.message.lines();
        let ended = message!("run-failure", why = Text(lines.next().unwrap_or_default()));
        text.push_str(&format!("! {}\n", lang.said(ended)));
        lines.chain(failure.hint.iter().flat_map(|hint| hint.lines())).for_each(|line| {
            text.push_str(&format!("  {line}\n"));
        });
    }
    for cell in &view.cells {
        let Some(failure) = &cell.failure else { continue };
        text.push_str(&format!("! {}\n", super::cell_failure(view, cell, &failure.message)));
        if let Some(hint) = &failure.hint {
            text.push_str(&format!("  {hint}\n"));
        }
    }
    text.extend(super::set_aside(view).iter().map(|line| format!("! {line}\n")));
    (!text.is_empty()).then_some(text)
}

/// Recordings that have a name or a note of the user's.
fn names(view: &View) -> Option<String> {
    let lang = view.lang;
    let plain: Vec<&str> = view.workloads.iter().map(|workload| workload.name.as_str()).collect();
    let mut text = String::new();
    for run in &view.runs {
        let named = run.imported.is_none() && view.about.is_none() && run.name != plain.join("+");
        let line = match (&run.note, named) {
            (Some(note), _) => format!("{}: {note}", run.name),
            (None, true) => run.name.clone(),
            (None, false) => continue,
        };
        text.push_str(&format!("{}\n", lang.said(message!("recording-named", recording = Text(line)))));
    }
    (!text.is_empty()).then_some(text)
}

/// The targets, and the respects in which they do unequal work.
fn targets(view: &View) -> Option<String> {
    let lang = view.lang;
    let rows: Vec<Vec<String>> = view.targets.iter().flat_map(|target| target_rows(target, lang)).collect();
    let mut text = grid(&rows, &[Align::Left, Align::Left]);
    for difference in &view.differences {
        text.push_str(&format!("- {}\n", lang.of(&difference.words())));
    }
    (!rows.is_empty()).then_some(text)
}

/// One row for a single server; for a topology, one for each of its servers.
fn target_rows(target: &TargetView, lang: Lang) -> Vec<Vec<String>> {
    if target.members.is_empty() {
        return vec![vec![target.label.clone(), lang.of(&target.summary).to_owned()]];
    }
    let row = |member: &MemberView| vec![member.name.clone(), lang.of(&member.summary).to_owned()];
    target.members.iter().map(row).collect()
}

fn histograms(view: &View) -> Vec<String> {
    let trials = view.cells.iter().flat_map(|c| c.trials.iter().map(move |t| (c, t)));
    trials
        .filter(|(_, t)| !t.histogram.count.is_empty())
        .map(|(cell, trial)| {
            let (target, workload) = (&view.targets[cell.target].label, &view.workloads[cell.workload].label);
            let mut text = format!("{workload} {target} {} #{}\n", cell.threads, trial.repeat);
            super::sysbench::histogram(&mut text, &trial.histogram);
            text
        })
        .collect()
}
