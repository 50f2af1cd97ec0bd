//! Reads the machine's apt sources, in both formats, to find the Debian mirror that it uses already.
//!
//! No mirror's name is built in: a machine behind a proxy or with a mirror of its own has it in its sources.

use std::fs;
use std::path::{Path, PathBuf};

/// A place to get Debian packages from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mirror {
    /// `http://mirror/debian`.
    pub uri: String,
    /// The keyring named with it.
    pub keyring: Option<PathBuf>,
}

/// One entry of the sources, whichever format it came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Entry {
    uris: Vec<String>,
    suites: Vec<String>,
    components: Vec<String>,
    signed_by: Option<PathBuf>,
}

/// Suites of Debian's main archive. Others (`bookworm-security`, a vendor's) are on mirrors that have no unstable suite.
const SUITES: &[&str] = &[
    "sid",
    "unstable",
    "testing",
    "stable",
    "oldstable",
    "duke",
    "forky",
    "trixie",
    "bookworm",
    "bullseye",
    "buster",
];

/// The Debian mirror among the sources under `etc_apt` (`/etc/apt`).
pub(super) fn debian_mirror(etc_apt: &Path) -> Option<Mirror> {
    let mut files = vec![etc_apt.join("sources.list")];
    if let Ok(entries) = fs::read_dir(etc_apt.join("sources.list.d")) {
        files.extend(entries.flatten().map(|entry| entry.path()));
    }
    files.sort();
    let entries = files.iter().flat_map(|path| {
        let text = fs::read_to_string(path).unwrap_or_default();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("list") => one_line_entries(&text),
            Some("sources") => deb822_entries(&text),
            _ => Vec::new(),
        }
    });
    choose(entries.collect())
}

fn choose(entries: Vec<Entry>) -> Option<Mirror> {
    let is_debian = |entry: &Entry| {
        entry.components.iter().any(|component| component == "main")
            && entry.suites.iter().any(|suite| SUITES.contains(&suite.as_str()))
    };
    entries.into_iter().filter(is_debian).find_map(|entry| {
        let uri = entry.uris.into_iter().find(|uri| !uri.starts_with("cdrom:"))?;
        Some(Mirror { uri, keyring: entry.signed_by })
    })
}

/// `deb [signed-by=/x arch=amd64] http://mirror/debian bookworm main contrib`
fn one_line_entries(text: &str) -> Vec<Entry> {
    text.lines().filter_map(one_line_entry).collect()
}

fn one_line_entry(line: &str) -> Option<Entry> {
    let line = line.split('#').next()?.trim();
    let mut rest = line.strip_prefix("deb")?.strip_prefix([' ', '\t'])?.trim_start();
    let mut entry = Entry::default();
    if let Some(options) = rest.strip_prefix('[') {
        let (options, after) = options.split_once(']')?;
        entry.signed_by =
            options.split_whitespace().find_map(|option| keyring(option.strip_prefix("signed-by=")?));
        rest = after;
    }
    let mut words = rest.split_whitespace().map(str::to_owned);
    entry.uris = vec![words.next()?];
    entry.suites = vec![words.next()?];
    entry.components = words.collect();
    Some(entry)
}

/// Stanzas of `Field: value` lines, separated by empty lines; a line that begins with a space continues the one before.
fn deb822_entries(text: &str) -> Vec<Entry> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut stanzas: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for line in lines {
        if line.trim().is_empty() {
            stanzas.push(Vec::new());
            continue;
        }
        let Some(stanza) = stanzas.last_mut() else { continue };
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = stanza.last_mut() {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((field, value)) = line.split_once(':') {
            stanza.push((field.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    stanzas.iter().filter_map(|stanza| stanza_entry(stanza)).collect()
}

fn stanza_entry(stanza: &[(String, String)]) -> Option<Entry> {
    let field =
        |name: &str| stanza.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value.as_str());
    let words = |name: &str| field(name).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let is_on = !matches!(field("enabled").to_ascii_lowercase().as_str(), "no" | "false" | "off" | "0");
    let is_binary = words("types").iter().any(|kind| kind == "deb");
    (is_on && is_binary).then(|| Entry {
        uris: words("uris"),
        suites: words("suites"),
        components: words("components"),
        signed_by: keyring(field("signed-by")),
    })
}

/// A keyring file; a key written into the sources themselves, or a fingerprint, is not one.
fn keyring(value: &str) -> Option<PathBuf> {
    let first = value.split([',', ' ']).next()?;
    first.starts_with('/').then(|| PathBuf::from(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEB822: &str = "\
Types: deb
# http://snapshot.example/archive/debian/20250520T000000Z
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
";

    fn mirror(files: &[(&str, &str)]) -> Option<Mirror> {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sources.list.d")).unwrap();
        for (name, text) in files {
            fs::write(dir.path().join(name), text).unwrap();
        }
        debian_mirror(dir.path())
    }

    #[test]
    fn deb822_sources_are_read() {
        let found = mirror(&[("sources.list.d/debian.sources", DEB822)]).unwrap();
        assert_eq!(found.uri, "http://mirror.example/debian");
        assert_eq!(found.keyring.unwrap(), Path::new("/usr/share/keyrings/debian-archive-keyring.gpg"));
    }

    #[test]
    fn one_line_sources_are_read() {
        let text = "\
# deb http://old.example/debian buster main
deb-src http://mirror.example/debian trixie main
deb http://mirror.example/security trixie-security main
deb [arch=amd64 signed-by=/k.gpg] https://mirror.example/debian trixie main contrib # the mirror
";
        let found = mirror(&[("sources.list", text)]).unwrap();
        assert_eq!(
            found,
            Mirror { uri: "https://mirror.example/debian".into(), keyring: Some("/k.gpg".into()) }
        );
    }

    #[test]
    fn vendors_security_media_and_disabled_entries_are_no_mirror() {
        let vendor = "deb https://vendor.example/apt nodistro main\ndeb cdrom:[Debian] bookworm main\n";
        assert_eq!(mirror(&[("sources.list.d/vendor.list", vendor)]), None);
        let disabled = format!("Enabled: no\n{DEB822}");
        assert_eq!(mirror(&[("sources.list.d/debian.sources", &disabled)]), None);
        assert_eq!(mirror(&[("sources.list.d/debian.sources.disabled", DEB822)]), None);
        assert_eq!(mirror(&[]), None);
    }

    #[test]
    fn a_key_inside_the_sources_is_not_taken_for_a_file() {
        let text = "Types: deb\nURIs: http://mirror.example/debian\nSuites: sid\nComponents: main\n\
                    Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINBF\n";
        assert_eq!(mirror(&[("sources.list.d/a.sources", text)]).unwrap().keyring, None);
    }
}
