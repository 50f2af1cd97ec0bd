//! One name for one type: no two crates offer types of the same name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::cycles::{ModulePath, collect, is_mark, is_test, tree};

/// Names that belong to a crate by custom.
const SHARED: [&str; 0] = [];

#[test]
fn names_of_public_types_are_unique_in_the_workspace() {
    let mut offered: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in std::fs::read_dir(crates).expect("the directory of the crates") {
        let path = entry.expect("a directory entry can be read").path();
        if !path.join("src/lib.rs").exists() {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (module, ty) in Surface::of(&path.join("src")).types() {
            let place = [vec![name.clone()], module].concat().join("::");
            offered.entry(ty).or_default().push(place);
        }
    }
    assert!(offered.len() > 500, "the types of the workspace are found: {}", offered.len());
    let twice = offered.iter().filter(|(name, places)| places.len() > 1 && !SHARED.contains(&name.as_str()));
    let twice: Vec<String> = twice.map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    assert!(twice.is_empty(), "types of one name; give each the name of what it is:\n{}", twice.join("\n"));
}

/// What the modules of a crate have for others.
#[derive(Default)]
struct Surface(BTreeMap<ModulePath, Module>);

/// The public items of a module.
#[derive(Default)]
struct Module {
    types: BTreeSet<String>,
    modules: BTreeSet<String>,
    /// What is re-exported: the path as it is written, and its name here.
    exports: Vec<(ModulePath, String)>,
}

impl Surface {
    fn of(src: &Path) -> Self {
        let mut sources = BTreeMap::new();
        collect(src, src, &mut sources);
        let mut surface = Self::default();
        for (path, text) in sources {
            let tokens: TokenStream = text.parse().expect("what the compiler reads can be read");
            surface.read(path, &Vec::from_iter(tokens));
        }
        surface
    }

    fn read(&mut self, path: ModulePath, tokens: &[TokenTree]) {
        let mut found = self.0.remove(&path).unwrap_or_default();
        let mut at = 0;
        while at < tokens.len() {
            if is_mark(&tokens[at], '#') && is_test(tokens.get(at + 1)) {
                at = after_item(tokens, at + 2);
                continue;
            }
            let next = |step: usize| tokens.get(at + step).map(ToString::to_string).unwrap_or_default();
            // `pub(crate)` is followed by a group, not by a word.
            if next(0) == "pub" {
                match next(1).as_str() {
                    "struct" | "enum" | "trait" | "type" => {
                        found.types.insert(next(2));
                    }
                    "mod" => {
                        found.modules.insert(next(2));
                        if let Some(TokenTree::Group(body)) = tokens.get(at + 3) {
                            let inner = [path.clone(), vec![next(2)]].concat();
                            self.read(inner, &Vec::from_iter(body.stream()));
                        }
                    }
                    "use" => {
                        let end = (at..tokens.len()).find(|&i| is_mark(&tokens[i], ';'));
                        found.exports.extend(tree(&tokens[at + 2..end.unwrap_or(tokens.len())]));
                    }
                    _ => {}
                }
            }
            at += 1;
        }
        self.0.insert(path, found);
    }

    /// Every type that is reachable from the root, with the module that defines it.
    fn types(&self) -> BTreeSet<(ModulePath, String)> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open: Vec<ModulePath> = vec![Vec::new()];
        while let Some(path) = open.pop() {
            let Some(module) = self.0.get(&path).filter(|_| seen.insert(path.clone())) else { continue };
            found.extend(module.types.iter().map(|name| (path.clone(), name.clone())));
            open.extend(module.modules.iter().map(|name| [path.clone(), vec![name.clone()]].concat()));
            for (exported, _) in &module.exports {
                self.follow(&path, exported, &mut found, &mut open, 0);
            }
        }
        found
    }

    /// What a re-export in `module` names: a type, or a module.
    fn follow(
        &self,
        module: &ModulePath,
        exported: &[String],
        found: &mut BTreeSet<(ModulePath, String)>,
        open: &mut Vec<ModulePath>,
        depth: u8,
    ) {
        let Some((name, above)) = exported.split_last() else { return };
        let home = match above.split_first() {
            Some((first, rest)) if first == "crate" => rest.to_vec(),
            Some((first, rest)) if first == "self" => [module, rest].concat(),
            Some((first, rest)) if first == "super" => {
                [&module[..module.len().saturating_sub(1)], rest].concat()
            }
            _ => [module, above].concat(),
        };
        let whole = [home.clone(), vec![name.clone()]].concat();
        if self.0.contains_key(&whole) {
            open.push(whole);
        }
        let Some(there) = self.0.get(&home) else { return };
        if there.types.contains(name) {
            found.insert((home, name.clone()));
        } else if let Some((behind, _)) = there.exports.iter().find(|(_, known)| known == name)
            && depth < 8
        {
            self.follow(&home, behind, found, open, depth + 1);
        }
    }
}

/// Where the item that begins there is over.
fn after_item(tokens: &[TokenTree], from: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => is_mark(token, ';'),
    };
    (from..tokens.len()).find(|&at| ends(&tokens[at])).map_or(tokens.len(), |at| at + 1)
}
