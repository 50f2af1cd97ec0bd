//! The parts of a report that only an experiment has: published results, open questions, the method.

use messages::message;

use crate::View;
use crate::words::{self, Lang};

/// A heading with its text.
pub struct Part {
    /// The heading.
    pub title: String,
    /// A paragraph or an item of a list each.
    pub lines: Vec<String>,
}

/// The parts of an experiment, in their order; none of another report.
pub fn parts(view: &View) -> Vec<Part> {
    let Some(about) = &view.about else { return Vec::new() };
    let lang = view.lang;
    let others = Part {
        title: lang.heading("others"),
        lines: words::published(about, lang).map(str::to_owned).into_iter().collect(),
    };
    let doubts = Part {
        title: lang.heading("doubts"),
        lines: view.doubts.iter().map(|doubt| lang.of(&doubt.text).to_owned()).collect(),
    };
    let method = Part { title: lang.heading("method"), lines: method(view, lang) };
    [others, doubts, method].into_iter().filter(|part| !part.lines.is_empty()).collect()
}

fn method(view: &View, lang: Lang) -> Vec<String> {
    let Some(method) = &view.method else { return Vec::new() };
    let arms = method.arms.iter().map(|arm| {
        let label = &view.targets[arm.target].label;
        if arm.differs.is_empty() {
            label.clone()
        } else {
            let differs = arm.differs.iter().map(|one| one.as_str().into()).collect::<Vec<_>>();
            lang.said(message!("arm-differs", arm = Text(label), what = Parts(differs)))
        }
    });
    let says = method.says.iter().map(|words| lang.of(words).to_owned());
    let again = view.runs.iter().map(|run| lang.said(message!("repeat-it", command = Text(&run.command))));
    arms.chain(says).chain(again).collect()
}
