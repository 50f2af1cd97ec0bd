//! Renderers: one file for each form of a report.

mod json;
pub use json::json;
