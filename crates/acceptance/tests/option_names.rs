//! Only the command line knows what its options are called: no text of the crates below it names a flag.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Literals that hold flags of other programs, which these files start: what the file holds, and whose flags they are.
const OF_OTHER_PROGRAMS: [(&str, &str); 10] = [
    ("analysis/src/doctor/measured.rs", "docker --cpus"),
    ("sandbox/src/client.rs", "the mysql client"),
    ("sandbox/src/install/apt.rs", "apt-get"),
    ("sandbox/src/install/basedir.rs", "mysqld"),
    ("sandbox/src/install/mariadb.rs", "apt-get"),
    ("sandbox/src/install/mod.rs", "ld.so"),
    ("sandbox/src/place/error.rs", "systemd-run --user"),
    ("sandbox/src/process.rs", "mysqld and setpriv"),
    ("sandbox/src/start.rs", "mysqld"),
    ("sandbox/src/template.rs", "mysqld and mariadb-install-db"),
];

/// The crates on floors 0 to 2.
const BELOW: [&str; 17] = [
    "cgroup",
    "analysis",
    "calibrate",
    "codes",
    "data",
    "import",
    "load",
    "model",
    "probe",
    "random",
    "report",
    "runner",
    "sandbox",
    "spec",
    "stats",
    "store",
    "wire",
];

#[test]
fn no_text_below_the_command_line_names_a_flag() {
    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut found = Vec::new();
    let mut exempt = Vec::new();
    for name in BELOW {
        for file in rust_files(&format!("{crates}/{name}/src")) {
            let text = std::fs::read_to_string(&file).expect("a source file can be read");
            let tokens: TokenStream = text.parse().expect("it is Rust");
            let mut literals = Vec::new();
            collect(tokens, &mut literals);
            let place = file.rsplit_once("/../").map_or(file.as_str(), |(_, place)| place);
            let flags = literals.into_iter().filter(|literal| has_flag(literal)).collect::<Vec<_>>();
            if flags.is_empty() {
                continue;
            }
            match OF_OTHER_PROGRAMS.iter().find(|(of, _)| *of == place) {
                Some((of, _)) => exempt.push(*of),
                None => found.extend(flags.into_iter().map(|flag| format!("{place}: {flag}"))),
            }
        }
    }
    assert!(found.is_empty(), "texts that name flags:\n{}", found.join("\n"));
    let idle = OF_OTHER_PROGRAMS.iter().filter(|(of, _)| !exempt.contains(of)).collect::<Vec<_>>();
    assert!(idle.is_empty(), "these need no exemption: {idle:?}");
}

/// `--[a-z]` at the beginning of a word.
fn has_flag(literal: &str) -> bool {
    literal.match_indices("--").any(|(at, _)| {
        let is_inside = literal[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        !is_inside && literal[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
    })
}

/// The string literals of code that is compiled outside tests; comments on items are attributes, and left out.
fn collect(tokens: TokenStream, literals: &mut Vec<String>) {
    let mut only_for_tests = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                if let Some(TokenTree::Punct(inner)) = tokens.peek()
                    && inner.as_char() == '!'
                {
                    tokens.next();
                }
                let attribute = tokens.next().map(|token| token.to_string()).unwrap_or_default();
                let plain: String = attribute.split_whitespace().collect();
                only_for_tests |= plain.starts_with("[cfg(test)");
                // The messages of errors are attributes too.
                if plain.starts_with("[error(") {
                    literals.push(attribute);
                }
            }
            TokenTree::Group(group) => {
                let is_body = group.delimiter() == Delimiter::Brace;
                if !(is_body && only_for_tests) {
                    collect(group.stream(), literals);
                }
                only_for_tests &= !is_body;
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => only_for_tests = false,
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.starts_with(['"', 'r']) && !only_for_tests {
                    literals.push(text);
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn rust_files(directory: &str) -> Vec<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).expect("the crate has a src directory") {
        let path = entry.expect("a directory entry can be read").path();
        let name = path.to_string_lossy().into_owned();
        // Test modules have files of their own in some places.
        let is_test = name.ends_with("tests.rs");
        if path.is_dir() {
            files.extend(rust_files(&name));
        } else if name.ends_with(".rs") && !is_test {
            files.push(name);
        }
    }
    files
}
