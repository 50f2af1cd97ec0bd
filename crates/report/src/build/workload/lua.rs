//! Facts of scripts for sysbench.

use messages::message;
use model::{LuaOptions, PsMode};

use super::facts::{Facts, fact};
use crate::view::Fact;

impl Facts for LuaOptions {
    fn facts(&self) -> Vec<Fact> {
        let protocol = if self.db_ps_mode == PsMode::Auto { "prepared" } else { "text" };
        let (path, version) = (self.script.path.clone(), self.dialect.name().to_owned());
        let mut facts = vec![
            fact("script", message!("script-of-user", path = Text(path), version = Text(version))),
            fact("statements", message!("statements-of-script", protocol = Word(protocol))),
        ];
        if !self.options.is_empty() {
            let each = self.options.iter().map(|(name, text)| format!("{name}={text}"));
            facts.push(fact("options", each.collect::<Vec<_>>().join(", ").into()));
        }
        facts
    }
}
