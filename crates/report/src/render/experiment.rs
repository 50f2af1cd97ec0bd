//! What an experiment adds to a report: what others found, what would change the answer, how it was made.

use crate::View;
use crate::words::{self, Lang};

/// A heading and what stands under it.
pub struct Part {
    /// The heading.
    pub title: &'static str,
    /// A paragraph or an item of a list each.
    pub lines: Vec<String>,
}

/// The parts of an experiment, in their order; none of another report.
pub fn parts(view: &View) -> Vec<Part> {
    let Some(about) = &view.about else { return Vec::new() };
    let lang = view.lang;
    let others = Part {
        title: lang.pick("What others found", "他人的结果"),
        lines: words::published(about, lang).map(str::to_owned).into_iter().collect(),
    };
    let doubts = Part {
        title: lang.pick("What would change this answer", "什么会改变这一结论"),
        lines: view.doubts.iter().map(|doubt| lang.of(&doubt.text).to_owned()).collect(),
    };
    let method = Part { title: lang.pick("Method", "方法"), lines: method(view, lang) };
    [others, doubts, method].into_iter().filter(|part| !part.lines.is_empty()).collect()
}

fn method(view: &View, lang: Lang) -> Vec<String> {
    let Some(method) = &view.method else { return Vec::new() };
    let arms = method.arms.iter().map(|arm| {
        let label = &view.targets[arm.target].label;
        let colon = lang.pick(": ", "：");
        if arm.differs.is_empty() {
            label.clone()
        } else {
            format!("{label}{colon}{}", arm.differs.join(", "))
        }
    });
    let says = method.says.iter().map(|words| lang.of(words).to_owned());
    let again =
        view.runs.iter().map(|run| format!("{}{}", lang.pick("Repeat it: ", "重复运行："), run.command));
    arms.chain(says).chain(again).collect()
}
