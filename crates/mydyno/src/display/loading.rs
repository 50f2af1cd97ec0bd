//! The progress of `prepare`: a bar with the time left on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use data::{PreparePhase, PrepareProgress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::phrase::{bytes, duration, thousands};
use crate::output;

/// Interval between two lines where there is no bar.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of one load. It is called from any thread.
pub struct Loading {
    label: String,
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

struct State {
    line_at: Instant,
    /// Time at which loading of rows began, and the rows that were there already: those of an interrupted attempt took no time
    /// now.
    rows_since: Option<(Instant, u64)>,
}

impl Loading {
    /// The display for the server with that label.
    pub fn new(label: &str) -> Self {
        let bar = (std::io::stderr().is_terminal() && !console::is_dumb()).then(|| {
            let style =
                ProgressStyle::with_template("[{bar:20}] {wide_msg}").expect("the template is well formed");
            ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr())
                .with_style(style.progress_chars("#>."))
        });
        let state = Mutex::new(State { line_at: Instant::now(), rows_since: None });
        Self { label: label.to_owned(), bar, state }
    }

    /// Shows how far it is.
    pub fn show(&self, progress: PrepareProgress) {
        // A panic of another thread does not make the display worse.
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let now = Instant::now();
        if progress.phase == PreparePhase::Rows && state.rows_since.is_none() {
            state.rows_since = Some((now, progress.rows_done));
        }
        let left = state.rows_since.and_then(|(since, before)| left(now - since, before, progress));
        let text = format!("{}  {}", self.label, phrase(progress, left));
        if let Some(bar) = &self.bar {
            bar.set_length(progress.rows.max(1));
            bar.set_position(progress.rows_done);
            bar.set_message(text);
        } else if now - state.line_at >= LINE_EVERY {
            state.line_at = now;
            output::note(&text);
        }
    }

    /// Shows the progress, where only rows are known.
    pub fn rows(&self, rows_done: u64, rows: u64) {
        let (bytes, tables_done, tables, retries) = (0, 0, 0, 0);
        self.show(PrepareProgress {
            phase: PreparePhase::Rows,
            rows_done,
            rows,
            bytes,
            tables_done,
            tables,
            retries,
        });
    }

    /// Shows what else is waited for.
    pub fn phase(&self, words: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(words.to_owned()),
            None => output::note(&format!("{}  {words}", self.label)),
        }
    }

    /// Restores the terminal.
    pub fn close(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn phrase(progress: PrepareProgress, left: Option<Duration>) -> String {
    match progress.phase {
        PreparePhase::Looking => "looking at what is there".to_owned(),
        PreparePhase::Tables => "creating tables".to_owned(),
        PreparePhase::Finishing => format!(
            "building indexes and counting rows, {} of {} tables",
            thousands(u64::from(progress.tables_done)),
            thousands(u64::from(progress.tables))
        ),
        PreparePhase::Rows => {
            let left =
                left.map(|left| format!("   {} left", duration(left.as_secs_f64()))).unwrap_or_default();
            let (done, rows) = (thousands(progress.rows_done), thousands(progress.rows));
            let sent =
                if progress.bytes == 0 { String::new() } else { format!(", {} sent", bytes(progress.bytes)) };
            format!("{done} of {rows} rows{sent}{left}")
        }
    }
}

/// The time left at the pace so far; none before there is one.
fn left(elapsed: Duration, before: u64, progress: PrepareProgress) -> Option<Duration> {
    let loaded = progress.rows_done.checked_sub(before).filter(|loaded| *loaded > 0)?;
    let rows_left = progress.rows.saturating_sub(progress.rows_done);
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * rows_left as f64 / loaded as f64).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(phase: PreparePhase, rows_done: u64) -> PrepareProgress {
        PrepareProgress {
            phase,
            rows_done,
            rows: 1_000_000,
            bytes: 3 << 20,
            tables_done: 1,
            tables: 4,
            retries: 0,
        }
    }

    #[test]
    fn rows_of_an_earlier_attempt_do_not_flatter_the_pace() {
        let ten = Duration::from_secs(10);
        assert_eq!(left(ten, 500_000, progress(PreparePhase::Rows, 750_000)), Some(ten));
        assert_eq!(left(ten, 500_000, progress(PreparePhase::Rows, 500_000)), None);
    }

    #[test]
    fn every_phase_has_words() {
        let said = phrase(progress(PreparePhase::Rows, 250_000), Some(Duration::from_secs(90)));
        assert_eq!(said, "250,000 of 1,000,000 rows, 3 MiB sent   1 min 30 s left");
        let said = phrase(progress(PreparePhase::Finishing, 1_000_000), None);
        assert_eq!(said, "building indexes and counting rows, 1 of 4 tables");
    }
}
