//! HTML: the page built from `ui/`, with the view put into it. One file, no network.

use serde::Serialize;

use super::flame::with_flame_graphs;
use crate::{History, View};

/// The built page; empty if there was none when this crate was compiled.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/page.html"));

/// Placeholder of the view in the page.
const PLACE: &str = r#"<script type="application/json" id="view">null</script>"#;

/// The reason there is no page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HtmlError {
    /// Compiled before the page was built.
    #[error("this mydyno was built without its page")]
    NotBuilt,
    /// The page and this crate do not belong together.
    #[error("the page in this mydyno has no place for a view")]
    NoPlace,
}

impl model::Advise for HtmlError {
    fn advice(&self) -> Vec<model::Advice> {
        vec![model::Advice::line("build the page, and mydyno again", "make ui")]
    }
}

/// One self-contained page that opens from disk.
pub fn html(view: &View) -> Result<String, HtmlError> {
    into_page(PAGE, with_flame_graphs(view).as_ref(), &view.title)
}

/// The same page with a history: it detects which one it is given.
pub fn history_page(history: &History) -> Result<String, HtmlError> {
    into_page(PAGE, history, &history.title)
}

/// Puts the data into a page.
fn into_page<T: Serialize>(page: &str, shown: &T, title: &str) -> Result<String, HtmlError> {
    if page.is_empty() {
        return Err(HtmlError::NotBuilt);
    }
    let (before, after) = page.split_once(PLACE).ok_or(HtmlError::NoPlace)?;
    let json = serde_json::to_string(shown).expect("it has only string keys and finite numbers");
    let json = escape(&json);
    let title = format!("<title>{} - mydyno</title>", escape_text(title));
    let before = before.replacen("<title>mydyno</title>", &title, 1);
    Ok(format!(r#"{before}<script type="application/json" id="view">{json}</script>{after}"#))
}

/// Escapes JSON for a script element, in which neither `</script` nor `<!--` may occur. In JSON `<` occurs only in strings,
/// where an escape means the same.
fn escape(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn escape_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use model::Advise;

    use super::*;
    use crate::build::{ReportOptions, input::RunInput};

    fn view_titled(name: &str) -> View {
        let mut view = View::from_inputs(&[] as &[RunInput], &ReportOptions::default());
        view.title = name.to_owned();
        view
    }

    #[test]
    fn without_a_page_the_error_says_what_to_do() {
        let error = into_page("", &view_titled("x"), "x").expect_err("there is no page");
        assert_eq!(error.advice()[0].how, model::How::Line("make ui".to_owned()), "{error}");
    }

    #[test]
    fn a_view_cannot_leave_its_script_element() {
        let page = format!("<title>mydyno</title><body>{PLACE}</body>");
        let html = into_page(&page, &view_titled("</script><!--<script>"), "</script>")
            .expect("the page has a place");
        assert!(!html.contains("</script><!--"));
        assert_eq!(html.matches("</script>").count(), 1);
        let json = html.split(r#"id="view">"#).nth(1).and_then(|s| s.split("</script>").next());
        let back: View = serde_json::from_str(json.expect("it is there")).expect("it is still JSON");
        assert_eq!(back.title, "</script><!--<script>");
    }

    #[test]
    fn a_page_of_another_kind_is_refused() {
        assert_eq!(into_page("<html></html>", &view_titled("x"), "x"), Err(HtmlError::NoPlace));
    }
}
