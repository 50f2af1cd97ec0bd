//! A script: its text, and what that says without running it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A script for sysbench.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LuaScript {
    /// The word by which users name it: its file.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The modules and files that it loads, by the name with which it asks for them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub modules: BTreeMap<String, String>,
}

/// The interface that a script expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LuaDialect {
    /// sysbench 1.0, with the functions of 0.5 (`db_query`, `sb_rand`).
    #[serde(rename = "1.0")]
    V10,
    /// sysbench 1.1, the main branch of sysbench.
    #[serde(rename = "1.1")]
    V11,
}

impl LuaDialect {
    /// Its number.
    pub fn name(self) -> &'static str {
        match self {
            Self::V10 => "1.0",
            Self::V11 => "1.1",
        }
    }
}

impl LuaScript {
    /// A script with what it loads: `open` gives the text of a file, none if there is no such file.
    pub fn read(path: &str, text: &str, open: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut script = Self { path: path.to_owned(), text: text.to_owned(), modules: BTreeMap::new() };
        let mut left = loaded(text);
        while let Some(name) = left.pop() {
            if script.modules.contains_key(&name) {
                continue;
            }
            let file = Self::file_of_module(&name);
            let beside = path.rsplit_once('/').map(|(folder, _)| format!("{folder}/{file}"));
            let places = [Some(file.clone()), beside, Some(format!("/usr/share/sysbench/{file}"))];
            // What is not found is looked for when the script asks for it.
            if let Some(text) = places.iter().flatten().find_map(|place| open(place)) {
                left.extend(loaded(&text));
                script.modules.insert(name, text);
            }
        }
        script
    }

    /// The file of a module.
    pub fn file_of_module(name: &str) -> String {
        if name.ends_with(".lua") { name.to_owned() } else { format!("{}.lua", name.replace('.', "/")) }
    }

    /// Its name: that of its file.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The dialect: 1.1 if it uses what only that has.
    pub fn dialect(&self) -> LuaDialect {
        let only_new = ["rand.varstring", "rand.zipfian", ":next_result(", ":more_results("];
        let uses = |text: &String| only_new.iter().any(|name| text.contains(name));
        match uses(&self.text) || self.modules.values().any(uses) {
            true => LuaDialect::V11,
            false => LuaDialect::V10,
        }
    }
}

/// What a text loads by `require("name")` and `dofile("name")`, as far as the name is written out.
fn loaded(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for call in ["require", "dofile"] {
        for (at, _) in text.match_indices(call) {
            let before = text[..at].chars().next_back();
            let line = text[..at].rsplit('\n').next().unwrap_or_default();
            if line.contains("--") || before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) {
                continue;
            }
            let rest = text[at + call.len()..].trim_start_matches([' ', '\t', '(']);
            let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
            if let Some((name, _)) = rest[1..].split_once(quote) {
                found.push(name.to_owned());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_come_with_the_script_where_their_name_is_written_out() {
        let text = "require(\"common\")\nlocal a = require 'a.b'\n-- require('no')\nmy_require('no') dofile(\"x.lua\") require(name)";
        let open = |path: &str| match path {
            "shop/common.lua" => Some("require('deeper')".to_owned()),
            "deeper.lua" | "a/b.lua" => Some(String::new()),
            _ => None,
        };
        let script = LuaScript::read("shop/mine.lua", text, &open);
        assert_eq!(script.modules.keys().collect::<Vec<_>>(), ["a.b", "common", "deeper"]);
        assert_eq!(script.name(), "mine.lua");
    }

    #[test]
    fn a_script_is_of_1_1_if_it_uses_what_1_0_lacks() {
        let of = |text: &str| LuaScript::read("x.lua", text, &|_| None).dialect();
        assert_eq!(of("x = sysbench.rand.varstring(1, 2)"), LuaDialect::V11);
        assert_eq!(of("x = sb_rand(1, 2)"), LuaDialect::V10);
    }
}
