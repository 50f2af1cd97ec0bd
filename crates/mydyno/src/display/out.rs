//! Standard error as a place to draw on: lines that stay, and below them a few that are drawn anew.

use std::io::{IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::terminal::Terminal;
use super::view::{Glyphs, Look};

/// Where the display goes.
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

    /// Writes a line that stays.
    pub fn line(&mut self, text: &str) {
        match self {
            Self::Terminal(canvas) => canvas.voice().say(text),
            Self::Lines(to) => write_line(to, text),
        }
    }

    /// For sentences from elsewhere.
    pub fn voice(&self) -> Voice {
        match self {
            Self::Terminal(canvas) => canvas.voice(),
            Self::Lines(_) => Voice::plain(),
        }
    }
}

/// The lines that are drawn anew.
pub struct Canvas {
    bar: ProgressBar,
    glyphs: Glyphs,
    drawn: Vec<String>,
}

impl Canvas {
    fn new() -> Self {
        let bar =
            ProgressBar::with_draw_target(None, ProgressDrawTarget::term_like(Box::new(Terminal::default())));
        let style = ProgressStyle::with_template("{msg}").expect("the template is well formed");
        let glyphs = Glyphs::of_locale(|name| std::env::var(name).ok());
        Self { bar: bar.with_style(style), glyphs, drawn: Vec::new() }
    }

    /// How wide the terminal is now, and what it can show.
    pub fn look(&self) -> Look {
        Look { width: usize::from(Terminal::default().width()), glyphs: self.glyphs }
    }

    /// Draws, if anything has changed.
    pub fn draw(&mut self, lines: Vec<String>) {
        if lines != self.drawn {
            self.bar.set_message(lines.join("\n"));
            self.drawn = lines;
        }
    }

    /// Leaves the terminal as it was found.
    pub fn close(&self) {
        self.bar.finish_and_clear();
    }

    fn voice(&self) -> Voice {
        Voice(Some(self.bar.clone()))
    }
}

/// Says sentences on standard error from any thread, above what is drawn there.
#[derive(Clone)]
pub struct Voice(Option<ProgressBar>);

impl Voice {
    /// Where nothing is drawn.
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

    /// Takes away what is drawn, before the process ends.
    pub fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

fn write_line(to: &mut dyn Write, text: &str) {
    // A display that cannot write stops nothing.
    let _ = writeln!(to, "{text}");
}
