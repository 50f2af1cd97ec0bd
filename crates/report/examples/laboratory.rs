//! Writes the report of a made-up recording, so that the page's end-to-end test always meets today's view model.
//!
//! `cargo run -p report --example laboratory -- two_targets > view.json`, or with `html` behind it for the whole page.

use std::io::Write;

#[path = "../tests/it/laboratory/mod.rs"]
mod laboratory;

fn main() -> std::io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let view = match name.as_str() {
        "two_targets" => laboratory::view(&laboratory::two_targets()),
        "single_runs" => laboratory::view(&laboratory::single_runs()),
        "one_target" => laboratory::view(&laboratory::one_target()),
        "many_cells" => laboratory::view(&laboratory::many_cells()),
        "nothing_completed" => laboratory::view(&laboratory::nothing_completed()),
        "capacity" => laboratory::capacity::view(),
        "colocation" => laboratory::colocation::view(),
        "profiled" => laboratory::profiled::view(),
        "tpcc" => laboratory::tpcc_view(),
        "watched" => laboratory::watched::view(),
        "imported" => laboratory::imported::view(),
        "experiment" => laboratory::experiment::view(),
        other => {
            let names = "two_targets, single_runs, one_target, many_cells, nothing_completed, tpcc, watched, experiment, imported, capacity, colocation, profiled";
            return Err(std::io::Error::other(format!("no laboratory '{other}'; there are {names}")));
        }
    };
    let text = match std::env::args().nth(2).as_deref() {
        Some("html") => report::render::html(&view).map_err(std::io::Error::other)?,
        _ => report::render::json(&view),
    };
    std::io::stdout().write_all(text.as_bytes())
}
