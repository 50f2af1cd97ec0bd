//! Writes the view of a made-up recording as JSON, so that the page's end-to-end test always has today's view model.
//!
//! `cargo run -p report --example laboratory -- two_targets > view.json`

use std::io::Write;

#[path = "../tests/laboratory/mod.rs"]
mod laboratory;

fn main() -> std::io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let laboratory = match name.as_str() {
        "two_targets" => laboratory::two_targets(),
        "single_runs" => laboratory::single_runs(),
        "one_target" => laboratory::one_target(),
        "many_cells" => laboratory::many_cells(),
        "nothing_completed" => laboratory::nothing_completed(),
        other => {
            let names = "two_targets, single_runs, one_target, many_cells, nothing_completed";
            return Err(std::io::Error::other(format!("no laboratory '{other}'; there are {names}")));
        }
    };
    let view = laboratory::view(&laboratory);
    std::io::stdout().write_all(serde_json::to_string(&view)?.as_bytes())
}
