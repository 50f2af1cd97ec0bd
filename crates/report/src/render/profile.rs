//! Where servers spend CPU, for terminals and for Markdown: the hottest functions of each target, and how two differ.

use analysis::{HotChange, HotFunction};
use messages::message;

use super::grid::Align;
use super::titled::TitledTable;
use crate::View;
use crate::format::figure;
use crate::view::{ProfileChangeView, ProfileView};
use crate::words::Lang;

/// A part of the report.
pub struct ProfilePart {
    /// The table; without rows if nothing was sampled.
    pub table: TitledTable,
    /// What is said of it, a sentence each.
    pub says: Vec<String>,
}

impl ProfilePart {
    /// The heading, the sentences, the table.
    pub fn text(self) -> String {
        let says: String = self.says.iter().map(|line| format!("  {line}\n")).collect();
        let title = self.table.title.clone();
        let table = if self.table.rows.is_empty() { String::new() } else { self.table.text() };
        let rows = table.split_once('\n').map_or("", |(_, rows)| rows);
        format!("{title}\n{says}{rows}")
    }
}

/// A part for each profile, and one for each pair.
pub fn parts(view: &View) -> Vec<ProfilePart> {
    let profiles = view.profiles.iter().map(|one| profile(one, view.lang));
    profiles.chain(view.profile_changes.iter().map(|one| change(view, one))).collect()
}

fn column(lang: Lang, column: &str, target: Option<&String>) -> String {
    lang.said(message!("profile-column", column = Word(column), target = Text?(target.cloned())))
}

fn profile(one: &ProfileView, lang: Lang) -> ProfilePart {
    let percent = |share: f64| figure(share * 100.0);
    let row = |function: &HotFunction| {
        vec![function.name.clone(), percent(function.self_share), percent(function.total_share)]
    };
    ProfilePart {
        table: TitledTable {
            title: lang.of(&one.title).to_owned(),
            head: ["function", "self", "total"].map(|name| column(lang, name, None)).to_vec(),
            rows: one.functions.iter().map(row).collect(),
            align: vec![Align::Left, Align::Right, Align::Right],
        },
        says: one.says.iter().map(|words| lang.of(words).to_owned()).collect(),
    }
}

fn change(view: &View, one: &ProfileChangeView) -> ProfilePart {
    let lang = view.lang;
    let percent = |share: f64| figure(share * 100.0);
    let label = |at: usize| &view.targets[view.profiles[at].target].label;
    let row = |function: &HotChange| {
        vec![function.name.clone(), percent(function.base_share), percent(function.other_share)]
    };
    let shares = [one.base, one.other].map(|at| column(lang, "share", Some(label(at))));
    ProfilePart {
        table: TitledTable {
            title: lang.of(&one.title).to_owned(),
            head: std::iter::once(column(lang, "function", None)).chain(shares).collect(),
            rows: one.functions.iter().map(row).collect(),
            align: vec![Align::Left, Align::Right, Align::Right],
        },
        says: Vec::new(),
    }
}
