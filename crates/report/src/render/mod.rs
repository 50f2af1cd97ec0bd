//! Renderers: one file for each form of a report.

mod html;
mod json;

pub use html::{HtmlError, html};
pub use json::json;
