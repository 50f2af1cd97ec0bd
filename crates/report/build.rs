//! Embeds the built page, if there is one: `ui/dist/index.html`, made by `make ui`.
//!
//! Without it the crate still builds, so that Rust can be worked on without Node.js; `render::html` then says what to do.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let crate_dir = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let dist = crate_dir.join("../../ui/dist");
    let page = fs::read(dist.join("index.html")).unwrap_or_default();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("page.html"), page).expect("OUT_DIR can be written to");
    // A file that is missing counts as changed at every build, so a missing page is watched by its folder.
    let watched = [dist.join("index.html"), dist.clone(), crate_dir.join("../../ui")];
    if let Some(path) = watched.iter().find(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}
