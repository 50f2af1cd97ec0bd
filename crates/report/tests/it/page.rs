//! What the build script of this crate embeds as the page.

#[allow(dead_code, clippy::print_stdout, reason = "its main speaks to cargo")]
#[path = "../../build.rs"]
mod build;

#[test]
fn a_release_is_not_built_without_its_page() {
    let dist = std::env::temp_dir().join(format!("mydyno-page-{}", std::process::id()));
    let page = dist.join("index.html");
    std::fs::create_dir_all(&dist).unwrap();

    let why = build::page(&dist, "release").unwrap_err();
    assert!(why.contains("make ui"), "{why}");
    assert_eq!(build::page(&dist, "debug"), Ok(Vec::new()), "Rust can be worked on without Node.js");

    std::fs::write(&page, "").unwrap();
    assert!(build::page(&dist, "release").is_err(), "an empty page is none");
    std::fs::write(&page, "<html>").unwrap();
    assert_eq!(build::page(&dist, "release"), Ok(b"<html>".to_vec()));
    std::fs::remove_dir_all(&dist).unwrap();
}
