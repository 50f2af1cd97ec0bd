//! Where servers spend CPU: what a report says of trials in which they were sampled.

use model::{NotSampled, Sampling};
use report::View;
use report::build::ReportOptions;
use report::build::input::RunInput;
use report::render::{Latencies, html, markdown, text};

use crate::laboratory;
use crate::laboratory::profiled::{record, sampled};

fn view(record: &RunInput) -> View {
    View::from_inputs(std::slice::from_ref(record), &ReportOptions::default())
}

#[test]
fn sampled_trials_count_for_nothing_but_their_cost() {
    let (with, without) = (view(&record(sampled)), view(&laboratory::two_targets().record()));
    assert_eq!(with.cells, without.cells);
    assert_eq!(with.answer, without.answer);
    let [a, b] = &with.profiles[..] else { panic!("{:?}", with.profiles) };
    assert!((a.throughput_ratio.expect("both are known") - 0.5).abs() < 0.1, "{a:?}");
    let says = |one: &report::view::ProfileView| {
        one.says.iter().map(|words| words.id.clone().unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(says(a), ["profile-sampled", "profile-cost", "profile-lost", "profile-unknown"]);
    assert_eq!(says(b), ["profile-sampled", "profile-cost", "profile-without-kernel"]);
}

#[test]
fn the_hottest_functions_and_the_greatest_differences_are_in_text_and_markdown() {
    let view = view(&record(sampled));
    assert_eq!(view.profile_changes[0].functions[0].name, "sha256");
    let (text, markdown) = (text(&view, &Latencies::default()), markdown(&view));
    insta::assert_snapshot!("profiles_text", part(&text, "Where "));
    insta::assert_snapshot!("profiles_markdown", part(&markdown, "### Where "));
}

/// From the first part about CPU on.
fn part(text: &str, begins: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let at = |word: &str| lines.iter().position(|line| line.starts_with(word));
    let from = at(begins).expect("it is there");
    lines[from..].iter().take(30).fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn why_nothing_was_sampled_is_one_sentence() {
    let record = record(|target| match target {
        0 => (Sampling::NotSampled(NotSampled::Forbidden { paranoid: Some(4) }), None),
        _ => (Sampling::NotSampled(NotSampled::NotInstalled), None),
    });
    let view = view(&record);
    assert!(view.profile_changes.is_empty());
    let says: Vec<&str> = view.profiles.iter().map(|one| one.says[0].en.as_str()).collect();
    assert!(says[0].contains("kernel.perf_event_paranoid = 4"), "{says:?}");
    assert!(says[1].contains("perf is not installed"), "{says:?}");
    assert!(text(&view, &Latencies::default()).contains(says[0]));
}

/// A file of stacks that was cut, or is gone, names no function: shares of a part would pass for those of the whole.
#[test]
fn damaged_stacks_name_no_function() {
    let record = record(|target| {
        let (sampling, folded) = sampled(target);
        let cut = folded.and_then(|folded| folded.lines().next()).filter(|_| target == 0);
        (sampling, cut)
    });
    let view = view(&record);
    let ids: Vec<_> = view.profiles.iter().map(|one| one.says[0].id.as_deref()).collect();
    assert_eq!(ids, [Some("profile-damaged"), Some("profile-not-sampled")]);
    assert!(view.profiles.iter().all(|one| one.functions.is_empty()) && view.profile_changes.is_empty());
    let said = text(&view, &Latencies::default());
    assert!(said.contains("it holds 600 of 1,000 samples"), "{said}");
}

#[test]
fn only_the_page_has_the_graphs() {
    let view = view(&record(sampled));
    let json = report::render::json(&view);
    assert!(json.contains("row_search_mvcc") && !json.contains("<svg"), "{json}");
    if let Ok(page) = html(&view) {
        assert_eq!(page.matches("onload=\\\"init(evt)\\\"").count(), 3);
    }
}
