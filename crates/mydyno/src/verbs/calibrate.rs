//! `mydyno calibrate`: measures the generator itself, and keeps what came out for later runs on this machine.

use std::path::PathBuf;

use model::Calibration;

use super::table::{Align, table};
use crate::display::Notices;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::home;
use crate::output;
use crate::signals;

/// Calibrates, prints, keeps.
pub fn calibrate() -> Outcome<Exit> {
    let cancel = signals::listen(Notices::plain())?;
    let calibration = match calibrate::calibrate(&cancel, &|step| output::note(&format!("measuring {step}")))
    {
        Ok(calibration) => calibration,
        Err(calibrate::CalibrateError::Interrupted) => return Ok(Exit::Interrupted),
        Err(error) => return Err(UserError::failed(error.to_string())),
    };
    output::print(&text(&calibration))?;
    let file = file()?;
    let fail = |error: std::io::Error| UserError::failed(format!("cannot write {}: {error}", file.display()));
    let directory = file.parent().unwrap_or(&file);
    std::fs::create_dir_all(directory).map_err(fail)?;
    // A reader sees the old one or the new one, never half of one.
    let new = file.with_extension("tmp");
    let json = serde_json::to_vec_pretty(&calibration).expect("it has only plain values");
    std::fs::write(&new, json).and_then(|()| std::fs::rename(&new, &file)).map_err(fail)?;
    output::note(&format!("kept in {}: later results on this machine refer to it", file.display()));
    Ok(Exit::Ok)
}

fn file() -> Outcome<PathBuf> {
    Ok(home::directory()?.join("calibration.json"))
}

/// The calibration that is kept; none if there is none, or none that can be read.
pub fn kept() -> Option<Calibration> {
    serde_json::from_slice(&std::fs::read(file().ok()?).ok()?).ok()
}

fn text(calibration: &Calibration) -> String {
    let us = |ns: u64| format!("{:.0} us", ns as f64 / 1e3);
    let rows: Vec<Vec<String>> = calibration
        .points
        .iter()
        .map(|point| {
            vec![
                point.connections.to_string(),
                format!("{:.0}", point.queries_per_s),
                format!("{:.2}", point.cpu_us),
                format!("{:.2}", point.user_us),
            ]
        })
        .collect();
    let columns = [
        ("connections", Align::Right),
        ("queries/s beside the null server", Align::Right),
        ("CPU us/query", Align::Right),
        ("user us/query", Align::Right),
    ];
    format!(
        "{}ceiling     {:.0} queries/s per CPU of the generator\ntimers      {} late in the median, p99 {}, at most {} (1,000 \
         starts/s)\nround trip  {} over loopback, without a database\n",
        table(&columns, &rows),
        calibration.ceiling_per_cpu(),
        us(calibration.timer_p50_ns),
        us(calibration.timer_p99_ns),
        us(calibration.timer_max_ns),
        us(calibration.round_trip_ns),
    )
}
