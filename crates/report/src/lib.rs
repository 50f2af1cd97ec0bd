//! View model and renderers: the presentation of a recording to users and to programs.
//!
//! A [`View`] holds every figure and every sentence of a report as plain data; the renderers only arrange it. So one
//! figure is the same on the console, in the CSV, in the JSON and on the page, and a report can be made again next
//! year from the files alone.

pub mod build;
mod format;
pub mod history;
pub mod price;
pub mod render;
pub mod thresholds;
pub mod versus;
pub mod view;
mod words;
pub mod worth;

#[cfg(test)]
mod typescript;

pub use analysis::Words;
pub use build::ReportOptions;
pub use history::History;
pub use view::View;
pub use words::Lang;
