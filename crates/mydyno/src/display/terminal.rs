//! A terminal whose last columns are left free, and which is written to once for each frame.
//!
//! A terminal shows `^C` where the cursor is. At the end of a line that is full to its last column that would begin a new
//! line, and the next frame would be one line too low. A single write avoids flicker.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use console::{Term, measure_text_width};
use indicatif::TermLike;

/// Columns left free: for `^C` twice.
const MARGIN: u16 = 4;

/// Standard error.
#[derive(Debug, Default)]
pub struct Terminal(Mutex<Picture>);

/// Text that has not been written yet, and the column at which it ends.
#[derive(Debug, Default)]
struct Picture {
    text: String,
    column: usize,
}

impl Terminal {
    fn with(&self, change: impl FnOnce(&mut Picture)) -> io::Result<()> {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }

    /// Columns that the terminal has, those left free included.
    pub fn columns(&self) -> u16 {
        Term::stderr().size().1
    }

    fn go(&self, n: usize, way: char) -> io::Result<()> {
        if n == 0 { Ok(()) } else { self.with(|picture| picture.text.push_str(&format!("\x1b[{n}{way}"))) }
    }
}

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        let (_, columns) = Term::stderr().size();
        columns.saturating_sub(MARGIN).max(1)
    }

    fn height(&self) -> u16 {
        Term::stderr().size().0
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.go(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.go(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.go(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.go(n, 'D')
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.with(|picture| {
            picture.text.push_str(line);
            picture.text.push('\n');
            picture.column = 0;
        })
    }

    /// Lines come filled up to the width, without an end: where one is full, the next one begins.
    fn write_str(&self, text: &str) -> io::Result<()> {
        let width = usize::from(self.width());
        self.with(|picture| {
            if picture.column >= width && !text.is_empty() {
                picture.text.push_str("\r\n");
                picture.column = 0;
            }
            let taken = measure_text_width(text);
            // Blanks up to the width would be wrapped by a terminal that is made narrower.
            if picture.column + taken == width && text.bytes().all(|b| b == b' ') {
                picture.text.push_str("\x1b[K");
            } else {
                picture.text.push_str(text);
            }
            picture.column += taken;
        })
    }

    fn clear_line(&self) -> io::Result<()> {
        self.with(|picture| {
            picture.text.push_str("\r\x1b[2K");
            picture.column = 0;
        })
    }

    fn flush(&self) -> io::Result<()> {
        let mut result = Ok(());
        self.with(|picture| {
            let mut stderr = io::stderr().lock();
            result = stderr.write_all(picture.text.as_bytes()).and_then(|()| stderr.flush());
            picture.text.clear();
        })?;
        result
    }
}
