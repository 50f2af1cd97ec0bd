//! The string literals of our sources, told apart from comments and tests.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The string literals of a source file.
pub fn of(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("a source file can be read");
    let tokens: TokenStream = text.parse().expect("it is Rust");
    let mut literals = Vec::new();
    collect(tokens, &mut literals);
    literals
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

/// The sources below a directory, without files of tests.
pub fn rust_files(directory: &str) -> Vec<String> {
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
