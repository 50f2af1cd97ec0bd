//! MySQL's option files: which are read, in which order, and what their lines mean.
//!
//! DBAs keep host, account and password in `~/.my.cnf`; a tool that reads it differently from the mysql client is a
//! trap. The rules are those of MySQL's manual, "Using Option Files". `parse` is pure; `load` follows the includes.

use std::path::{Path, PathBuf};

use crate::error::{Outcome, UserError};

/// Includes nest no deeper than in MySQL.
const DEEPEST_INCLUDE: u32 = 10;
/// No option file is this large; a device or a log is.
const LARGEST_FILE: u64 = 1 << 20;

/// One option set by a file, in a group that concerns this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileOption {
    /// True for `[client]`, whose options for other programs are none of our business.
    pub shared: bool,
    /// Name, with `-` for `_`, without `loose-`.
    pub name: String,
    /// Value; none: only the name was written.
    pub value: Option<String>,
    /// Written with `loose-`: if unknown, ignored.
    pub loose: bool,
    /// `file:line`, for messages.
    pub place: String,
}

/// The files to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// `--no-defaults`: none.
    pub none: bool,
    /// `--defaults-file`: only this one.
    pub only: Option<PathBuf>,
    /// `--defaults-extra-file`: this one too, before the user's own.
    pub extra: Option<PathBuf>,
    /// `--defaults-group-suffix`: `[client_suffix]` and `[mydyno_suffix]` too.
    pub suffix: Option<String>,
}

/// Options of the files, those of later files last, and remarks about files that were passed over.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// The options in the order of MySQL's own programs: the last one wins.
    pub options: Vec<FileOption>,
    /// Sentences to show.
    pub remarks: Vec<String>,
}

/// Reads the files of `choice`; `home` is the user's home directory.
pub fn load(choice: &Choice, home: Option<&Path>) -> Outcome<Loaded> {
    let mut loaded = Loaded::default();
    let groups = Groups::new(choice.suffix.as_deref());
    if choice.none {
        return Ok(loaded);
    }
    if let Some(only) = &choice.only {
        read(only, true, &groups, 0, &mut loaded)?;
        return Ok(loaded);
    }
    for path in ["/etc/my.cnf", "/etc/mysql/my.cnf"] {
        read(Path::new(path), false, &groups, 0, &mut loaded)?;
    }
    if let Some(extra) = &choice.extra {
        read(extra, true, &groups, 0, &mut loaded)?;
    }
    if let Some(home) = home {
        read(&home.join(".my.cnf"), false, &groups, 0, &mut loaded)?;
    }
    Ok(loaded)
}

/// The groups that concern this program.
struct Groups {
    shared: Vec<String>,
    own: Vec<String>,
}

impl Groups {
    fn new(suffix: Option<&str>) -> Self {
        let with_suffix = |name: &str| {
            let mut names = vec![name.to_owned()];
            names.extend(suffix.map(|suffix| format!("{name}{suffix}")));
            names
        };
        Self { shared: with_suffix("client"), own: with_suffix("mydyno") }
    }
}

fn read(path: &Path, required: bool, groups: &Groups, depth: u32, loaded: &mut Loaded) -> Outcome<()> {
    let shown = path.display();
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(_) if !required => return Ok(()),
        Err(error) => {
            return Err(UserError::usage(format!("option file {shown} cannot be read: {error}")).hint(
                "correct --defaults-file or --defaults-extra-file, or the !include line that names it",
            ));
        }
    };
    if !metadata.is_file() || metadata.len() > LARGEST_FILE {
        return Err(UserError::usage(format!("{shown} is not an option file")));
    }
    if world_writable(&metadata) {
        loaded.remarks.push(format!("option file {shown} is ignored: everybody may write to it (chmod o-w)"));
        return Ok(());
    }
    let text = match std::fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) if !required => return Ok(()),
        Err(error) => return Err(UserError::usage(format!("option file {shown} cannot be read: {error}"))),
    };
    for line in parse(&text).map_err(|wrong| wrong.at(path))? {
        match line.kind {
            Kind::Option { group, name, value, loose } => {
                let shared = groups.shared.contains(&group);
                if shared || groups.own.contains(&group) {
                    let place = format!("{shown}:{}", line.number);
                    loaded.options.push(FileOption { shared, name, value, loose, place });
                }
            }
            Kind::Include(_) | Kind::IncludeDir(_) if depth == DEEPEST_INCLUDE => {
                return Err(UserError::usage(format!("{shown}:{}: includes nest too deeply", line.number))
                    .hint("a file probably includes itself"));
            }
            Kind::Include(file) => read(&beside(path, &file), true, groups, depth + 1, loaded)?,
            Kind::IncludeDir(dir) => {
                for file in option_files_in(&beside(path, &dir)) {
                    read(&file, false, groups, depth + 1, loaded)?;
                }
            }
        }
    }
    Ok(())
}

/// A relative include is relative to the file that holds it.
fn beside(path: &Path, name: &str) -> PathBuf {
    path.parent().unwrap_or(Path::new(".")).join(name)
}

/// The `.cnf` files of a directory by name. A directory that cannot be read holds none, as in MySQL.
fn option_files_in(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cnf") && path.is_file())
        .collect();
    files.sort();
    files
}

fn world_writable(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o002 != 0
}

/// A line that says something.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    number: usize,
    kind: Kind,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Option { group: String, name: String, value: Option<String>, loose: bool },
    Include(String),
    IncludeDir(String),
}

/// An error in a line. It never quotes the line, which may hold a password.
#[derive(Debug, PartialEq, Eq)]
struct Wrong {
    number: usize,
    what: &'static str,
}

impl Wrong {
    fn at(self, path: &Path) -> UserError {
        UserError::usage(format!("{}:{}: {}", path.display(), self.number, self.what))
            .hint("correct the file, or leave it out with --no-defaults")
    }
}

fn parse(text: &str) -> Result<Vec<Line>, Wrong> {
    let mut lines = Vec::new();
    let mut group: Option<&str> = None;
    for (index, raw) in text.lines().enumerate() {
        let number = index + 1;
        let wrong = |what| Wrong { number, what };
        let line = raw.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(directive) = line.strip_prefix('!') {
            let (word, rest) = directive.split_once(char::is_whitespace).unwrap_or((directive, ""));
            let rest = rest.trim().to_owned();
            let kind = match word {
                "include" if !rest.is_empty() => Kind::Include(rest),
                "includedir" if !rest.is_empty() => Kind::IncludeDir(rest),
                _ => return Err(wrong("after '!' there is include FILE or includedir DIRECTORY")),
            };
            lines.push(Line { number, kind });
        } else if let Some(rest) = line.strip_prefix('[') {
            let (name, _) = rest.split_once(']').ok_or(wrong("a group ends with ']'"))?;
            group = Some(name.trim());
        } else {
            let group = group.ok_or(wrong("an option stands before the first [group]"))?.to_owned();
            let line = without_comment(line);
            let (name, value) = match line.split_once('=') {
                Some((name, value)) => (name.trim(), Some(unescape(unquote(value.trim())))),
                None => (line, None),
            };
            let (name, loose) = canonical(name);
            if name.is_empty() {
                return Err(wrong("an option has a name before '='"));
            }
            lines.push(Line { number, kind: Kind::Option { group, name, value, loose } });
        }
    }
    Ok(lines)
}

/// Lower-level spelling rules: `_` is `-`, and `loose-` is not part of the name.
fn canonical(name: &str) -> (String, bool) {
    let name = name.replace('_', "-");
    match name.strip_prefix("loose-") {
        Some(rest) => (rest.to_owned(), true),
        None => (name, false),
    }
}

/// The line up to a `#` that is not inside quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match (c, quote) {
            ('#', None) => return line[..at].trim_end(),
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(open)) if c == open && !escaped => quote = None,
            _ => {}
        }
        escaped = quote.is_some() && c == '\\' && !escaped;
    }
    line
}

fn unquote(value: &str) -> &str {
    ['\'', '"'].into_iter().find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote)).unwrap_or(value)
}

/// MySQL's escapes. Before any other character a backslash is literal, which spares Windows paths.
fn unescape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('s') => out.push(' '),
            Some(itself @ ('\\' | '\'' | '"')) => out.push(itself),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn options(text: &str) -> Vec<(String, Option<String>)> {
        parse(text)
            .expect("the text of the test is well formed")
            .into_iter()
            .filter_map(|line| match line.kind {
                Kind::Option { name, value, .. } => Some((name, value)),
                _ => None,
            })
            .collect()
    }

    fn value(line: &str) -> String {
        options(&format!("[client]\n{line}")).remove(0).1.unwrap_or_default()
    }

    #[test]
    fn values_lose_blanks_quotes_and_comments() {
        assert_eq!(value("host = db1  "), "db1");
        assert_eq!(value("host=db1 # the primary"), "db1");
        assert_eq!(value("password='a#b'"), "a#b");
        assert_eq!(value("password=\"it's\""), "it's");
        assert_eq!(value("password=a'b"), "a'b");
        assert_eq!(value("password=abc#def"), "abc");
        assert_eq!(value("init-command=\"SET NAMES 'utf8mb4'\""), "SET NAMES 'utf8mb4'");
        assert_eq!(value("password=a=b"), "a=b");
    }

    #[test]
    fn escapes_are_mysqls() {
        assert_eq!(value(r"password=a\sb\\c\td"), "a b\\c\td");
        assert_eq!(value(r#"password="a\"b#c""#), "a\"b#c");
        assert_eq!(value(r"socket=C:\dir"), r"C:\dir");
        assert_eq!(value("password=x\\"), "x\\");
    }

    #[test]
    fn names_are_written_with_either_dash() {
        assert_eq!(
            options("[client]\nssl_mode=REQUIRED\npassword"),
            [("ssl-mode".to_owned(), Some("REQUIRED".to_owned())), ("password".to_owned(), None)]
        );
    }

    #[test]
    fn a_line_that_makes_no_sense_is_named_by_number_and_never_quoted() {
        let wrong = parse("# x\n[client\npassword=secret").expect_err("the group does not end");
        assert_eq!(wrong.number, 2);
        let wrong = parse("password=secret").expect_err("no group");
        assert!(!wrong.at(Path::new("my.cnf")).to_string().contains("secret"));
        assert!(parse("!inclde /x").is_err());
        assert!(parse("[client]\n=5").is_err());
    }

    #[test]
    fn files_include_others_and_groups_take_a_suffix() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let write = |name: &str, text: &str| {
            std::fs::write(dir.path().join(name), text).expect("a writable temporary directory");
        };
        std::fs::create_dir(dir.path().join("conf.d")).expect("a writable temporary directory");
        write("conf.d/b.cnf", "[client]\nuser=b");
        write("conf.d/a.cnf", "[client]\nuser=a");
        write("conf.d/note.txt", "[client]\nuser=nobody");
        write("one.cnf", "[client_staging]\nloose-quux=1\n[mysqld]\nport=1");
        write("my.cnf", "!includedir conf.d\n!include one.cnf\n[mydyno]\ntables=4");
        let choice = Choice {
            only: Some(dir.path().join("my.cnf")),
            suffix: Some("_staging".to_owned()),
            ..Choice::default()
        };
        let loaded = load(&choice, None).expect("well-formed files");
        let names: Vec<_> = loaded
            .options
            .iter()
            .map(|o| (o.name.as_str(), o.value.as_deref().unwrap_or(""), o.shared, o.loose))
            .collect();
        assert_eq!(
            names,
            [
                ("user", "a", true, false),
                ("user", "b", true, false),
                ("quux", "1", true, true),
                ("tables", "4", false, false)
            ]
        );
        assert!(loaded.options[3].place.ends_with("my.cnf:4"));
    }

    #[test]
    fn a_file_that_includes_itself_is_an_error_and_a_missing_one_too() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("my.cnf");
        std::fs::write(&path, "!include my.cnf").expect("a writable temporary directory");
        let choice = |path: PathBuf| Choice { only: Some(path), ..Choice::default() };
        assert!(load(&choice(path), None).is_err());
        assert!(load(&choice(dir.path().join("missing.cnf")), None).is_err());
    }

    #[test]
    fn a_file_that_everybody_may_write_to_is_ignored() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join(".my.cnf");
        std::fs::write(&path, "[client]\nhost=evil").expect("a writable temporary directory");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).expect("an own file");
        let choice = Choice { only: Some(path), ..Choice::default() };
        let loaded = load(&choice, None).expect("it is passed over");
        assert!(loaded.options.is_empty());
        assert_eq!(loaded.remarks.len(), 1);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "(\\PC|[\\[\\]!=#'\"\\\\\n\t ;])*") {
            let _ = parse(&text);
        }

        #[test]
        fn a_quoted_value_comes_back_as_it_was(value in "[ -~&&[^\\\\\"]]*") {
            let text = format!("[client]\npassword=\"{value}\"");
            prop_assert_eq!(options(&text), [("password".to_owned(), Some(value))]);
        }
    }
}
