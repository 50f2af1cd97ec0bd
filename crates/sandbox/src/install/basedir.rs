//! Any build of the user's own: a tarball, a build directory, an unpacked package.

use std::path::{Path, PathBuf};

use model::Flavour;

use super::command::run;
use super::installation::{Installation, Loader, program_command};
use crate::error::InstallError;
use crate::program::find_program;

/// Directories of a server program under the top: tarballs, installed trees, unpacked Debian packages, build trees.
const PROGRAM_DIRS: &[&str] =
    &["bin", "sbin", "libexec", "usr/sbin", "usr/bin", "runtime_output_directory", "sql"];
const PROGRAM_NAMES: [&str; 2] = ["mariadbd", "mysqld"];

/// Directories of its plugins.
const PLUGIN_DIRS: &[&str] =
    &["lib/mysql/plugin", "lib/plugin", "lib64/mysql/plugin", "lib64/plugin", "plugin_output_directory"];

/// Directories of its error messages.
const MESSAGES_DIRS: &[&str] = &["share/mysql", "share/mariadb", "share", "sql/share"];

/// Identifies the server under `top` by its own version output.
pub(super) fn inspect(top: &Path) -> Result<Installation, InstallError> {
    let program = program_under(top)?;
    let loader = private_loader(top);
    let (flavour, version) = version(loader.as_ref(), &own_libraries(top, loader.as_ref()), &program)?;
    lay_out(top, flavour, version)
}

/// The paths of everything in the server under `top`, whose version is known.
pub(super) fn lay_out(top: &Path, flavour: Flavour, version: String) -> Result<Installation, InstallError> {
    let program = program_under(top)?;
    let top = std::path::absolute(top).unwrap_or_else(|_| top.to_owned());
    let base = if program.starts_with(top.join("usr")) { top.join("usr") } else { top.clone() };
    let first = |dirs: &[&str], holds: &str| {
        dirs.iter().map(|dir| base.join(dir)).find(|path| path.join(holds).exists())
    };
    let loader = private_loader(&top);
    Ok(Installation {
        flavour,
        version,
        libraries: own_libraries(&top, loader.as_ref()),
        loader,
        plugin_dir: first(PLUGIN_DIRS, "."),
        messages_dir: first(MESSAGES_DIRS, "english/errmsg.sys"),
        basedir: Some(base),
        program,
        top,
        is_own: false,
    })
}

fn program_under(top: &Path) -> Result<PathBuf, InstallError> {
    let top = std::path::absolute(top).unwrap_or_else(|_| top.to_owned());
    PROGRAM_DIRS
        .iter()
        .flat_map(|dir| PROGRAM_NAMES.map(|name| top.join(dir).join(name)))
        .find(|path| path.is_file())
        .ok_or(InstallError::NoServer { path: top })
}

/// The dynamic loader of an unpacked tree of Debian packages, which brings its own C library. Older releases have it under
/// `lib`, beside more libraries under `usr/lib`.
pub(super) fn private_loader(top: &Path) -> Option<Loader> {
    let mut dirs: Vec<PathBuf> = Vec::new();
    for lib in ["usr/lib", "lib"] {
        let entries = std::fs::read_dir(top.join(lib)).into_iter().flatten().flatten();
        dirs.extend(entries.map(|entry| entry.path()).filter(|path| path.is_dir()));
    }
    let loader = |dir: &PathBuf| files(dir).find(|file| name_of(file).starts_with("ld-linux"));
    let program = dirs.iter().find_map(loader)?;
    let triplet = program.parent()?.file_name()?.to_owned();
    let libraries = dirs.into_iter().filter(|dir| dir.file_name() == Some(&triplet)).collect();
    Some(Loader { program, libraries })
}

/// Directories of shared libraries beside a server that has no loader of its own: a server that was built elsewhere finds
/// them only with a library path. A directory that holds a C library belongs to the system, or to another system.
fn own_libraries(top: &Path, loader: Option<&Loader>) -> Vec<PathBuf> {
    if loader.is_some() {
        return Vec::new();
    }
    let top = std::path::absolute(top).unwrap_or_else(|_| top.to_owned());
    let mut dirs: Vec<PathBuf> = Vec::new();
    for lib in ["lib", "lib64", "usr/lib", "usr/lib64"] {
        let lib = top.join(lib);
        let entries = std::fs::read_dir(&lib).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut below: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        below.sort();
        dirs.push(lib);
        dirs.extend(below);
    }
    let is_own = |dir: &PathBuf| {
        let is_library = |file: &PathBuf| name_of(file).contains(".so.");
        files(dir).any(|file| is_library(&file)) && !dir.join("libc.so.6").exists()
    };
    dirs.into_iter().filter(is_own).collect()
}

fn files(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The system's own MySQL, if `mysqld` is one: Debian's MariaDB package has a link of that name too.
pub(super) fn system_mysql() -> Option<Installation> {
    let program = find_program("mysqld")?;
    let (flavour, version) = version(None, &[], &program).ok()?;
    (flavour == Flavour::Mysql).then(|| system(flavour, version, program))
}

/// An installation whose compiled-in places are right.
pub(super) fn system(flavour: Flavour, version: String, program: PathBuf) -> Installation {
    let top = program.parent().unwrap_or(Path::new("/")).to_owned();
    Installation {
        flavour,
        version,
        program,
        loader: None,
        libraries: Vec::new(),
        basedir: None,
        plugin_dir: None,
        messages_dir: None,
        top,
        is_own: false,
    }
}

/// Asks a server program for its flavour and version.
pub(super) fn version(
    loader: Option<&Loader>,
    libraries: &[PathBuf],
    program: &Path,
) -> Result<(Flavour, String), InstallError> {
    let mut command = program_command(loader, libraries, program);
    // First, or the server reads the machine's option files and stumbles over what is in them.
    let said = run(command.args(["--no-defaults", "--version"]))?;
    parse_version(&said)
        .ok_or_else(|| InstallError::Version { program: program.to_owned(), said: said.trim().to_owned() })
}

/// `/x/mysqld  Ver 9.7.4-2 for Linux on x86_64 ((Debian))`
pub(super) fn parse_version(said: &str) -> Option<(Flavour, String)> {
    let mut words = said.split_whitespace().skip_while(|word| *word != "Ver").skip(1);
    let version = words.next().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))?.to_owned();
    let is_mariadb = version.to_ascii_lowercase().contains("mariadb");
    Some((if is_mariadb { Flavour::Mariadb } else { Flavour::Mysql }, version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flavour_and_version_are_in_what_the_program_says() {
        let cases = [
            ("/p/mysqld  Ver 9.7.4-2 for Linux on x86_64 ((Debian))", Flavour::Mysql, "9.7.4-2"),
            (
                "mysqld  Ver 8.0.36-28 for Linux on x86_64 (Percona Server (GPL), Release 28)",
                Flavour::Mysql,
                "8.0.36-28",
            ),
            (
                "mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)",
                Flavour::Mariadb,
                "10.11.19-MariaDB-0+deb12u1",
            ),
        ];
        for (said, flavour, version) in cases {
            assert_eq!(parse_version(said), Some((flavour, version.to_owned())));
        }
        assert_eq!(parse_version("Segmentation fault"), None);
        assert_eq!(parse_version("Ver Ver"), None);
    }

    #[test]
    fn libraries_beside_a_server_are_found_and_those_of_a_system_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let touch = |name: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        };
        ["lib/private/libssl.so.1.1", "lib/plugin/auth.so", "lib/libmariadb.a"]
            .iter()
            .for_each(|name| touch(name));
        let private = dir.path().join("lib/private");
        assert_eq!(own_libraries(dir.path(), None), std::slice::from_ref(&private));
        touch("lib/x86_64-linux-gnu/libc.so.6");
        assert_eq!(own_libraries(dir.path(), None), [private]);
        assert_eq!(private_loader(dir.path()), None);
        touch("lib/x86_64-linux-gnu/ld-linux-x86-64.so.2");
        touch("usr/lib/x86_64-linux-gnu/libaio.so.1");
        let loader = private_loader(dir.path()).unwrap();
        let expected = ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"].map(|lib| dir.path().join(lib));
        assert_eq!(loader.libraries, expected);
        assert_eq!(own_libraries(dir.path(), Some(&loader)), [] as [PathBuf; 0]);
    }

    #[test]
    fn a_directory_without_a_server_says_where_was_looked() {
        let dir = tempfile::tempdir().unwrap();
        let error = inspect(dir.path()).unwrap_err().to_string();
        assert!(error.starts_with("no mysqld or mariadbd under /"), "{error}");
    }
}
