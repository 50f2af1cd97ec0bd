//! `mydyno report`: recorded runs, shown again in any form.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use store::Results;

use super::render::{self, Look, PAGE};
use crate::cli::ReportArgs;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::options::output::Format;
use crate::output;

/// Makes the report. A page goes to a file, everything else to standard output.
pub fn report(args: &ReportArgs) -> Outcome<Exit> {
    let results = Results::open(&args.results.results);
    let runs = args.runs.iter().map(|run| results.find(run)).collect::<Result<Vec<PathBuf>, _>>()?;
    let look = Look {
        format: args.format,
        lang: args.lang,
        percentile: args.percentile,
        histogram: args.histogram,
        interval_s: args.report_interval,
    };
    if look.interval_s.is_some() && look.format != Format::Sysbench {
        return Err(UserError::usage("--report-interval is for reports in sysbench's form")
            .hint("add --format sysbench"));
    }
    if args.open && look.format != Format::Html {
        return Err(UserError::usage("--open opens a page: leave out --format"));
    }
    let view = render::view(&runs, look.lang)?;
    if look.format == Format::Sysbench {
        render::remark_on_percentile(&view, look.percentile).iter().for_each(|remark| output::note(remark));
    }
    let text = render::render(&view, &runs, look)?;
    let path = match (&args.output, look.format) {
        (Some(path), _) => path.clone(),
        // Several runs make a report that belongs to none of them alone; it goes to the first that was named.
        (None, Format::Html) => runs[0].join(PAGE),
        (None, _) => return output::print(&text).map(|()| exit(&view)),
    };
    output::write(&path, &text)?;
    output::print(&path.display().to_string())?;
    if args.open {
        open(&path);
    }
    Ok(exit(&view))
}

/// A report of nothing is made, since it has the reasons, but it is no success.
fn exit(view: &report::View) -> Exit {
    let measured = view.cells.iter().any(|cell| cell.throughput_per_s.is_some());
    if measured { Exit::Ok } else { Exit::Failed }
}

/// Shows the page in the user's browser, if there is a way to. The path is printed already.
fn open(path: &Path) {
    const OPENERS: [&str; 2] = ["xdg-open", "open"];
    let silent = |opener: &str| {
        let mut command = Command::new(opener);
        command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    };
    if !OPENERS.into_iter().any(silent) {
        output::note("there is no xdg-open here: open the file in a browser");
    }
}
