//! Flame graphs as SVG, with search and zoom.

use std::borrow::Cow;

use inferno::differential;
use inferno::flamegraph::color::{MultiPalette, Palette};
use inferno::flamegraph::{Options, TextTruncateDirection, from_lines};

use crate::View;

/// Functions narrower than this share of the graph, in percent, are not drawn: nobody can read them, and the page grows by them.
const NARROWEST_PERCENT: f64 = 0.1;

/// The view with the flame graphs of its profiles; itself if it has none.
pub fn with_flame_graphs(view: &View) -> Cow<'_, View> {
    if view.profiles.is_empty() {
        return Cow::Borrowed(view);
    }
    let lang = view.lang;
    let mut drawn = view.clone();
    for profile in &mut drawn.profiles {
        profile.flame_graph = flame_graph(&profile.folded, lang.of(&profile.title));
    }
    for change in &mut drawn.profile_changes {
        let (base, other) = (&view.profiles[change.base], &view.profiles[change.other]);
        change.flame_graph = difference(&base.folded, &other.folded, lang.of(&change.title));
    }
    Cow::Owned(drawn)
}

/// A flame graph of folded stacks; none without stacks.
fn flame_graph(folded: &str, title: &str) -> Option<String> {
    let mut lines: Vec<&str> = folded.lines().collect();
    lines.sort_unstable();
    svg(&lines, title)
}

/// The stacks of the other, coloured by how their shares differ from those of the first: red is more, blue is less.
fn difference(base: &str, other: &str, title: &str) -> Option<String> {
    let options = differential::Options { normalize: true, strip_hex: false };
    let mut both = Vec::new();
    differential::from_readers(options, base.as_bytes(), other.as_bytes(), &mut both).ok()?;
    let both = String::from_utf8_lossy(&both);
    let mut lines: Vec<&str> = both.lines().collect();
    lines.sort_unstable();
    svg(&lines, title)
}

fn svg(lines: &[&str], title: &str) -> Option<String> {
    let mut options = Options::default();
    title.clone_into(&mut options.title);
    // Orange: the kernel. Yellow: C++. The same function has the same colour in every graph.
    options.colors = Palette::Multi(MultiPalette::Java);
    options.hash = true;
    options.min_width = NARROWEST_PERCENT;
    options.text_truncate_direction = TextTruncateDirection::Right;
    options.no_sort = true;
    let mut svg = Vec::new();
    from_lines(&mut options, lines.iter().copied(), &mut svg).ok()?;
    String::from_utf8(svg).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "connection;do_command;row_search 60\nlog_writer;write_[k] 40\n";
    const OTHER: &str = "connection;do_command;row_search 30\nconnection;do_command;sha256<x> 30\n";

    #[test]
    fn a_flame_graph_has_its_title_its_functions_and_their_samples() {
        let svg = flame_graph(BASE, "A & B").expect("a graph");
        assert!(svg.contains("A &amp; B") && svg.contains("row_search (60 samples, 60.00%)"), "{svg}");
        assert!(svg.contains("function search"), "it can be searched");
        assert_eq!(flame_graph(BASE, "x"), flame_graph(BASE, "x"), "colours do not depend on chance");
    }

    #[test]
    fn a_difference_is_between_shares() {
        let svg = difference(BASE, OTHER, "x").expect("a graph");
        // 60 of 100 are 36 of 60.
        assert!(svg.contains("row_search (30 samples, 50.00%; -10.00%)"), "{svg}");
        assert!(svg.contains("sha256&lt;x&gt; (30 samples, 50.00%; +50.00%)"), "{svg}");
    }

    #[test]
    fn without_stacks_there_is_no_graph() {
        assert_eq!(flame_graph("", "x"), None);
    }
}
