//! The types of the page, written from those of the view and of the history, so that the page cannot expect a key that
//! the program does not write.

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::collections::BTreeMap;
    use std::path::Path;

    use ts_rs::{Config, TS, TypeVisitor};

    use crate::{History, View};

    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/src/generated/view.ts");
    /// Set to write the file instead of comparing with it.
    const UPDATE: &str = "MYDYNO_UPDATE_TYPES";

    /// Declarations by name, of a type and everything in it.
    struct Declarations {
        config: Config,
        found: BTreeMap<String, (TypeId, String)>,
    }

    impl TypeVisitor for Declarations {
        fn visit<T: TS + 'static + ?Sized>(&mut self) {
            // Of a plain type, such as a number or a list, there is no declaration.
            if T::output_path().is_none() {
                return;
            }
            let name = T::ident(&self.config);
            if let Some((known, _)) = self.found.get(&name) {
                assert_eq!(
                    *known,
                    TypeId::of::<T>(),
                    "two types are called {name}: rename one with #[ts(rename)]"
                );
                return;
            }
            let declaration = format!("{}export {}\n", T::docs().unwrap_or_default(), T::decl(&self.config));
            self.found.insert(name, (TypeId::of::<T>(), declaration));
            T::visit_dependencies(self);
        }
    }

    #[test]
    fn the_page_has_the_types_of_the_program() {
        // Counts of the view stay far below 2^53, beyond which JSON numbers of a page lose digits.
        let config = Config::new().with_large_int("number");
        let mut all = Declarations { config, found: BTreeMap::new() };
        all.visit::<View>();
        all.visit::<History>();
        let head = format!(
            "// The view and the history as the program writes them. Written by crates/report/src/typescript.rs; to renew it:\n\
             // {UPDATE}=1 cargo test -p report the_page_has_the_types_of_the_program\n"
        );
        let parts = std::iter::once(head).chain(all.found.into_values().map(|(_, text)| text));
        let wanted = parts.collect::<Vec<_>>().join("\n");
        if std::env::var_os(UPDATE).is_some() {
            let directory = Path::new(FILE).parent().expect("a file has a directory");
            std::fs::create_dir_all(directory).expect("the directory of the page can be written");
            return std::fs::write(FILE, wanted).expect("the file can be written");
        }
        let committed = std::fs::read_to_string(FILE).unwrap_or_default();
        assert!(committed == wanted, "{FILE} is not what the program writes: renew it with {UPDATE}=1");
    }
}
