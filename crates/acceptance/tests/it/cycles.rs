//! The shape of each crate: its modules use each other in one direction only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

#[test]
fn modules_use_each_other_in_one_direction_only() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(crates).expect("the directory of the crates") {
        let path = entry.expect("a directory entry can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let cycles = Modules::of(&path.join("src")).cycles();
        wrong.extend(cycles.iter().map(|cycle| format!("{name}: {}", cycle.join(" -> "))));
    }
    assert!(wrong.is_empty(), "modules that use each other in a circle:\n{}", wrong.join("\n"));
}

/// The path of a module from the root of its crate, `["workload", "list"]`.
pub type ModulePath = Vec<String>;

/// The modules of a crate that are files, without tests.
#[derive(Default)]
struct Modules {
    /// What each re-exports, by name: the path behind it.
    exports: BTreeMap<ModulePath, BTreeMap<String, ModulePath>>,
    /// The paths that each uses, from the root.
    uses: BTreeMap<ModulePath, BTreeSet<ModulePath>>,
}

impl Modules {
    fn of(src: &Path) -> Self {
        let mut modules = Self::default();
        let mut sources = BTreeMap::new();
        collect(src, src, &mut sources);
        let mut tests = BTreeSet::new();
        for (module, text) in &sources {
            let tokens: TokenStream = text.parse().expect("what the compiler reads can be read");
            let mut reader = Reader { module, all: &sources, found: &mut modules, tests: &mut tests };
            reader.items(tokens);
        }
        modules.uses.retain(|module, _| !tests.iter().any(|test: &ModulePath| module.starts_with(test)));
        modules
    }

    /// The module in which what a path names is defined.
    fn home(&self, path: &[String], depth: u8) -> Option<ModulePath> {
        let mut at = path.len();
        while at > 0 && !self.uses.contains_key(&path[..at]) {
            at -= 1;
        }
        let module = &path[..at];
        self.uses.get(module)?;
        let behind = path.get(at).and_then(|name| self.exports.get(module)?.get(name));
        match behind {
            Some(behind) if depth < 8 => self.home(behind, depth + 1),
            _ => Some(module.to_vec()),
        }
    }

    /// For each group of modules that use each other: one way around.
    fn cycles(&self) -> Vec<Vec<String>> {
        let mut edges: BTreeMap<ModulePath, BTreeSet<ModulePath>> = BTreeMap::new();
        for (module, uses) in &self.uses {
            let homes = uses.iter().filter_map(|path| self.home(path, 0)).filter(|home| home != module);
            edges.insert(module.clone(), homes.collect());
        }
        let mut cycles: Vec<Vec<String>> = Vec::new();
        let mut seen: BTreeSet<ModulePath> = BTreeSet::new();
        for start in edges.keys() {
            if seen.contains(start) {
                continue;
            }
            if let Some(way) = way_around(&edges, start) {
                seen.extend(way.iter().cloned());
                let names = way.iter().chain([start]).map(|module| match module.is_empty() {
                    true => "the root".to_owned(),
                    false => module.join("::"),
                });
                cycles.push(names.collect());
            }
        }
        cycles
    }
}

/// The shortest way from a module back to itself.
fn way_around(
    edges: &BTreeMap<ModulePath, BTreeSet<ModulePath>>,
    start: &ModulePath,
) -> Option<Vec<ModulePath>> {
    let mut ways = std::collections::VecDeque::from([vec![start.clone()]]);
    let mut reached = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in way.last().and_then(|last| edges.get(last)).into_iter().flatten() {
            if next == start {
                return Some(way);
            }
            if reached.insert(next.clone()) {
                ways.push_back(way.iter().cloned().chain([next.clone()]).collect());
            }
        }
    }
    None
}

pub fn collect(root: &Path, directory: &Path, sources: &mut BTreeMap<ModulePath, String>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten() {
        let path = entry.expect("a directory entry can be read").path();
        if path.is_dir() {
            collect(root, &path, sources);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let inside = path.strip_prefix(root).expect("it is below the root").with_extension("");
            let mut module: ModulePath =
                inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if module.last().is_some_and(|last| ["lib", "main", "mod"].contains(&last.as_str())) {
                module.pop();
            }
            sources.insert(module, std::fs::read_to_string(&path).expect("a source file can be read"));
        }
    }
}

/// Reads the items of one file.
struct Reader<'a> {
    module: &'a ModulePath,
    all: &'a BTreeMap<ModulePath, String>,
    found: &'a mut Modules,
    tests: &'a mut BTreeSet<ModulePath>,
}

impl Reader<'_> {
    fn items(&mut self, tokens: TokenStream) {
        self.found.uses.entry(self.module.clone()).or_default();
        self.read(&Vec::from_iter(tokens));
    }

    fn read(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        let mut is_public = false;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == '#' && is_test(tokens.get(at + 1)) => {
                    at = self.skip_item(tokens, at + 2);
                    continue;
                }
                TokenTree::Ident(word) if word == "pub" => is_public = true,
                TokenTree::Ident(word) if word == "use" => {
                    let end = (at..tokens.len()).find(|&i| is_mark(&tokens[i], ';')).unwrap_or(tokens.len());
                    for (path, name) in tree(&tokens[at + 1..end]) {
                        self.imported(path, name, is_public);
                    }
                    is_public = false;
                    at = end;
                }
                TokenTree::Ident(_) if !after_colons(tokens, at) => {
                    let path = path_at(tokens, at);
                    if path.len() > 1 && self.absolute(&path).is_some() {
                        self.uses(path);
                    }
                }
                TokenTree::Group(group) => {
                    if group.delimiter() == Delimiter::Brace {
                        is_public = false;
                    }
                    self.read(&Vec::from_iter(group.stream()));
                }
                TokenTree::Punct(mark) if mark.as_char() == ';' => is_public = false,
                _ => {}
            }
            at += 1;
        }
    }

    /// The end of the item that begins there; a module in a file of its own is one of tests.
    fn skip_item(&mut self, tokens: &[TokenTree], from: usize) -> usize {
        for (at, token) in tokens.iter().enumerate().skip(from) {
            if let (TokenTree::Ident(word), Some(TokenTree::Ident(name))) = (token, tokens.get(at + 1))
                && word == "mod"
            {
                let mut module = self.module.clone();
                module.push(name.to_string());
                self.tests.insert(module);
            }
            let ends = matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            if ends || is_mark(token, ';') {
                return at + 1;
            }
        }
        tokens.len()
    }

    fn imported(&mut self, path: ModulePath, name: String, is_public: bool) {
        let Some(absolute) = self.absolute(&path) else { return };
        let exports = self.found.exports.entry(self.module.clone()).or_default();
        exports.insert(name, absolute.clone());
        // A parent that only passes on what its children define does not use it.
        if !(is_public && absolute.starts_with(self.module)) {
            self.found.uses.entry(self.module.clone()).or_default().insert(absolute);
        }
    }

    fn uses(&mut self, path: ModulePath) {
        if let Some(absolute) = self.absolute(&path) {
            self.found.uses.entry(self.module.clone()).or_default().insert(absolute);
        }
    }

    /// A path from the root; none if it is about another crate, or about nothing that is a module.
    fn absolute(&self, path: &[String]) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" => self.module.clone(),
            "super" => self.module[..self.module.len().checked_sub(1)?].to_vec(),
            child => {
                let mut module = self.module.clone();
                module.push(child.to_owned());
                self.all.contains_key(&module).then_some(module)?
            }
        };
        for name in rest {
            if name == "super" {
                base.pop();
            } else {
                base.push(name.clone());
            }
        }
        Some(base)
    }
}

pub fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

/// `[cfg(test)]`, also among other conditions.
pub fn is_test(token: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = token else { return false };
    let text = group.stream().to_string().replace(' ', "");
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

fn after_colons(tokens: &[TokenTree], at: usize) -> bool {
    at > 0 && is_mark(&tokens[at - 1], ':') && at > 1 && is_mark(&tokens[at - 2], ':')
}

/// The names of a path that begins there.
fn path_at(tokens: &[TokenTree], mut at: usize) -> ModulePath {
    let mut path = Vec::new();
    while let Some(TokenTree::Ident(name)) = tokens.get(at) {
        path.push(name.to_string());
        let goes_on = [at + 1, at + 2].iter().all(|&i| tokens.get(i).is_some_and(|t| is_mark(t, ':')));
        if !goes_on {
            break;
        }
        at += 3;
    }
    path
}

/// The paths of a `use`, each with the name that it gets here.
pub fn tree(tokens: &[TokenTree]) -> Vec<(ModulePath, String)> {
    let mut path = Vec::new();
    let mut renamed = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Ident(word) if word == "as" => {
                renamed = tokens.get(at + 1).map(ToString::to_string);
                break;
            }
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Group(group) => {
                let inner = Vec::from_iter(group.stream());
                let branches = inner.split(|token| is_mark(token, ',')).filter(|branch| !branch.is_empty());
                let all = branches.flat_map(tree).map(|(rest, name)| {
                    let rest = if rest == ["self"] { Vec::new() } else { rest };
                    let own = path.last().cloned().unwrap_or_default();
                    let name = if name == "self" { own } else { name };
                    (path.iter().cloned().chain(rest).collect(), name)
                });
                return all.collect();
            }
            _ => {}
        }
        at += 1;
    }
    let name = renamed.unwrap_or_else(|| path.last().cloned().unwrap_or_default());
    vec![(path, name)]
}
