//! Standard error as a canvas: permanent lines, and below them a few that are redrawn.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use console::measure_text_width;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::terminal::Terminal;
use super::view::{Glyphs, Look};

/// The destination of the display.
pub enum Out {
    /// A terminal that can move its cursor.
    Terminal(Canvas),
    /// Anything else.
    Lines(Box<dyn Write>),
}

impl Out {
    /// A canvas if standard error is a terminal that can move its cursor, plain lines otherwise.
    pub fn stderr() -> Self {
        if std::io::stderr().is_terminal() && !console::is_dumb() {
            Self::Terminal(Canvas::new())
        } else {
            Self::Lines(Box::new(std::io::stderr()))
        }
    }

    /// Plain lines on standard error, whatever it is.
    pub fn plain() -> Self {
        Self::Lines(Box::new(std::io::stderr()))
    }

    /// Writes a line that stays.
    pub fn line(&mut self, text: &str) {
        match self {
            Self::Terminal(canvas) => canvas.notices().say(text),
            Self::Lines(to) => write_line(to, text),
        }
    }

    /// The channel for sentences from elsewhere.
    pub fn notices(&self) -> Notices {
        match self {
            Self::Terminal(canvas) => canvas.notices(),
            Self::Lines(_) => Notices::plain(),
        }
    }
}

/// The lines that are redrawn. Clones draw the same ones.
#[derive(Clone)]
pub struct Canvas {
    bar: ProgressBar,
    glyphs: Glyphs,
    drawn: Arc<Mutex<Drawn>>,
}

/// The content currently on the terminal.
#[derive(Default)]
struct Drawn {
    lines: Vec<String>,
    width: usize,
}

impl Canvas {
    fn new() -> Self {
        let bar =
            ProgressBar::with_draw_target(None, ProgressDrawTarget::term_like(Box::new(Terminal::default())));
        let style = ProgressStyle::with_template("{msg}").expect("the template is well formed");
        let glyphs = Glyphs::of_locale(|name| std::env::var(name).ok());
        Self { bar: bar.with_style(style), glyphs, drawn: Arc::default() }
    }

    /// Width and abilities of the terminal now.
    pub fn look(&self) -> Look {
        Look { width: usize::from(Terminal::default().width()), glyphs: self.glyphs }
    }

    /// Draws, if anything has changed.
    pub fn draw(&self, lines: Vec<String>) {
        let width = self.look().width;
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if self.bar.is_finished() || (lines == drawn.lines && width == drawn.width) {
            return;
        }
        if width < drawn.width && !drawn.lines.is_empty() {
            let terminal = Terminal::default();
            let (columns, rows) = (usize::from(terminal.columns()), usize::from(terminal.height()));
            let text = unwrapped(&drawn.lines, columns, rows);
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
        self.bar.set_message(lines.join("\n"));
        *drawn = Drawn { lines, width };
    }

    /// Restores the terminal.
    pub fn close(&self) {
        self.bar.finish_and_clear();
    }

    fn notices(&self) -> Notices {
        Notices(Some(self.bar.clone()))
    }
}

/// Prints sentences on standard error from any thread, above the drawn lines.
#[derive(Clone)]
pub struct Notices(Option<ProgressBar>);

impl Notices {
    /// Notices where nothing is drawn.
    pub fn plain() -> Self {
        Self(None)
    }

    /// Says something.
    pub fn say(&self, text: &str) {
        match &self.0 {
            Some(bar) => bar.suspend(|| write_line(&mut std::io::stderr(), text)),
            None => write_line(&mut std::io::stderr(), text),
        }
    }

    /// Removes the drawn lines, before the process ends.
    pub fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// Clears lines that a narrower terminal has wrapped, and leaves room for as many as there were.
fn unwrapped(lines: &[String], columns: usize, rows: usize) -> String {
    let takes: usize =
        lines.iter().map(|line| measure_text_width(line).div_ceil(columns.max(1)).max(1)).sum();
    let up = takes.min(rows).saturating_sub(1);
    let up = if up == 0 { String::new() } else { format!("\x1b[{up}A") };
    format!("{up}\r\x1b[J{}", "\n".repeat(lines.len().saturating_sub(1)))
}

fn write_line(to: &mut dyn Write, text: &str) {
    // A display that cannot write stops nothing.
    let _ = writeln!(to, "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_a_narrower_terminal_wrapped_are_cleared() {
        let lines = ["a".repeat(130), String::new(), "b".repeat(60), "c".repeat(61)];
        // Of 60 columns they take three rows, one, one and two.
        assert_eq!(unwrapped(&lines, 60, 50), "\x1b[6A\r\x1b[J\n\n\n");
        // No higher than the terminal.
        assert_eq!(unwrapped(&lines, 60, 5), "\x1b[4A\r\x1b[J\n\n\n");
        assert_eq!(unwrapped(&["short".to_owned()], 78, 24), "\r\x1b[J");
    }
}
