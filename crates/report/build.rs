//! Embeds the built page, if there is one: `ui/dist/index.html`, made by `make ui`.
//!
//! Without it the crate still builds for development, so that Rust can be worked on without Node.js; `render::html` then
//! says what to do. A release without its page is refused.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let crate_dir = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let dist = crate_dir.join("../../ui/dist");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    // A file that is missing counts as changed at every build, so a missing page is watched by its folder.
    let watched = [dist.join("index.html"), dist.clone(), crate_dir.join("../../ui")];
    if let Some(path) = watched.iter().find(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    match page(&dist, &env::var("PROFILE").expect("cargo sets it")) {
        Ok(page) => fs::write(out.join("page.html"), page).expect("OUT_DIR can be written to"),
        Err(why) => println!("cargo::error={why}"),
    }
}

/// The page in `dist`. `profile` is `release` for every profile that inherits from it.
pub fn page(dist: &Path, profile: &str) -> Result<Vec<u8>, String> {
    let page = fs::read(dist.join("index.html")).unwrap_or_default();
    if page.is_empty() && profile == "release" {
        return Err("ui/dist/index.html is missing or empty: run `make ui` first".to_owned());
    }
    Ok(page)
}
