//! Dataset snapshots: data directories of cleanly stopped servers, to start others on.
//!
//! Loading a large data set takes minutes, copying it seconds; and every copy is the same, page for page. A copy fits only
//! the server that made it: same flavour, same version, same structural settings.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use model::Flavour;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::copy::{Sync, copy_tree, disk_bytes, remove_tree};
use crate::error::{CopyError, FileError, StartError};
use crate::home::{Home, is_name};
use crate::install::Installation;
use crate::lock::Lock;
use crate::machine::require_space;
use crate::server::{Server, StopOutcome};
use crate::settings::Settings;
use crate::state::{Life, made_by, read_json, write_json};
use crate::template::structure;

/// A data set that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptCopy {
    /// Format version of the file.
    pub format: u32,
    /// Its key.
    pub key: String,
    /// Vendor of the server that made it.
    pub flavour: Flavour,
    /// Version of that server.
    pub version: String,
    /// Structural settings of that server, as `name=value`.
    pub structure: String,
    /// Time it was made, seconds since 1970.
    pub made_at_s: u64,
    /// Its size on disk, bytes.
    pub disk_bytes: u64,
}

impl KeptCopy {
    fn made_by(&self) -> String {
        made_by(self.flavour, &self.version, &self.structure)
    }
}

impl Home {
    /// A key for `data` on the server that `spec` resolves to: another version or another page size gives another key.
    ///
    /// `data` is any description that is equal exactly if the data are.
    pub fn copy_key(&self, spec: &model::SandboxSpec, data: &str) -> Result<String, StartError> {
        let settings = Settings::new(&spec.settings)?;
        let installation = self.resolve(spec.flavour, spec.basedir.as_deref())?;
        let mut hash = Sha256::new();
        for part in [installation.version.as_str(), &structure(&settings), data] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        let digits: String = hash.finalize().iter().take(10).map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("{}-{digits}", spec.flavour.name()))
    }

    /// Every kept data set, by key.
    pub fn kept_copies(&self) -> Vec<KeptCopy> {
        let Ok(entries) = fs::read_dir(self.copies_dir()) else { return Vec::new() };
        // One that is being made or removed has a name that begins with a dot.
        let named = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_name));
        let mut found: Vec<KeptCopy> =
            named.filter_map(|entry| read_json(&entry.path().join("copy.json")).ok()?).collect();
        found.sort_by(|a, b| a.key.cmp(&b.key));
        found
    }

    /// True if data are kept under `key`.
    pub fn has_copy(&self, key: &str) -> bool {
        is_name(key) && self.copies_dir().join(key).join("copy.json").is_file()
    }

    /// A small file of the data kept under `key`; none if there is none.
    pub fn file_of_copy(&self, key: &str, name: &str) -> Option<String> {
        fs::read_to_string(self.copies_dir().join(key).join("data").join(name)).ok()
    }

    /// Removes the data kept under `key`.
    pub fn remove_copy(&self, key: &str) -> Result<(), CopyError> {
        if !self.has_copy(key) {
            return Err(CopyError::Missing { key: key.to_owned() });
        }
        let lock = Lock::take(&self.copy_lock_path(key))?;
        discard(self, key)?;
        lock.remove();
        Ok(())
    }

    fn copy_lock_path(&self, key: &str) -> PathBuf {
        self.lock_path(&format!("copy-{key}"))
    }
}

/// Removes the snapshot under `key`. It is renamed first: a kill in the middle leaves no half of it under its name.
fn discard(home: &Home, key: &str) -> Result<(), FileError> {
    let (dir, aside) = (home.copies_dir().join(key), home.copies_dir().join(format!(".old-{key}")));
    remove_tree(&aside)?;
    match fs::rename(&dir, &aside) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(FileError::at("move aside", &dir)(error)),
        Ok(()) => remove_tree(&aside),
    }
}

/// The snapshot under `key`, if it fits the server to be started on a copy of it. While the lock is held, it is neither
/// replaced nor removed.
pub(crate) fn data_for(
    home: &Home,
    key: &str,
    installation: &Installation,
    settings: &Settings,
) -> Result<(PathBuf, Lock), CopyError> {
    if !is_name(key) {
        return Err(CopyError::Key { key: key.to_owned() });
    }
    if !home.has_copy(key) {
        return Err(CopyError::Missing { key: key.to_owned() });
    }
    let lock = Lock::take_shared(&home.copy_lock_path(key))?;
    let dir = home.copies_dir().join(key);
    let kept: KeptCopy =
        read_json(&dir.join("copy.json"))?.ok_or_else(|| CopyError::Missing { key: key.to_owned() })?;
    let now = made_by(installation.flavour, &installation.version, &structure(settings));
    if kept.made_by() != now {
        return Err(CopyError::Mismatch { key: key.to_owned(), was: kept.made_by(), now });
    }
    Ok((dir.join("data"), lock))
}

impl Server {
    /// Stops the server cleanly and keeps its data under `key`. If another process kept the same data there meanwhile, its
    /// snapshot stays, since servers may be starting on it.
    pub fn keep_copy(mut self, home: &Home, key: &str) -> Result<KeptCopy, CopyError> {
        if !is_name(key) {
            return Err(CopyError::Key { key: key.to_owned() });
        }
        let kept = self.end_and_keep(home, key);
        let cleared = self.clear();
        let kept = kept?;
        cleared?;
        Ok(kept)
    }

    fn end_and_keep(&mut self, home: &Home, key: &str) -> Result<KeptCopy, CopyError> {
        self.put_back_redo_log()?;
        if self.end().map_err(Box::new)? == StopOutcome::Killed {
            return Err(CopyError::Killed { name: self.name().to_owned() });
        }
        let _lock = Lock::take(&home.copy_lock_path(key))?;
        if let Some(there) = self.kept_already(home, key) {
            return Ok(there);
        }
        let data = self.dir().join("data");
        let new = home.copies_dir().join(format!(".new-{key}"));
        remove_tree(&new)?;
        DirBuilder::new().mode(0o700).create(&new).map_err(FileError::at("create", &new))?;
        if self.state().life == Life::Scoped {
            // Nobody else wants them: they are moved, not copied.
            fs::rename(&data, new.join("data")).map_err(FileError::at("keep", &data))?;
        } else {
            let purpose = format!("keeping the data of server '{}'", self.name());
            require_space::<CopyError>(&new, disk_bytes(&data), &purpose)?;
            copy_tree(&data, &new.join("data"), Sync::Disk)?;
        }
        remove_binary_logs(&new.join("data"))?;
        remove_spare_redo(&new.join("data"))?;
        let state = self.state();
        let kept = KeptCopy {
            format: 1,
            key: key.to_owned(),
            flavour: state.spec.flavour,
            version: state.version.clone(),
            structure: state.structure.clone(),
            made_at_s: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            disk_bytes: disk_bytes(&new),
        };
        write_json(&new.join("copy.json"), &kept)?;
        discard(home, key)?;
        let dir = home.copies_dir().join(key);
        fs::rename(&new, &dir).map_err(FileError::at("create", &dir))?;
        Ok(kept)
    }

    /// The snapshot already kept under `key`, if a server like this one made it.
    fn kept_already(&self, home: &Home, key: &str) -> Option<KeptCopy> {
        let dir = home.copies_dir().join(key);
        let there: KeptCopy = read_json(&dir.join("copy.json")).ok()??;
        (there.made_by() == self.state().made_by() && dir.join("data").is_dir()).then_some(there)
    }
}

/// MySQL keeps redo log files that it will use again as `#ib_redoN_tmp`. There is nothing in them, and the server makes new ones
/// when it needs some.
fn remove_spare_redo(data: &Path) -> Result<(), FileError> {
    let dir = data.join("#innodb_redo");
    // MariaDB and older versions of MySQL have no such directory.
    let Ok(entries) = fs::read_dir(&dir) else { return Ok(()) };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with("_tmp")) {
            remove_if_there(&path)?;
        }
    }
    Ok(())
}

/// The statements that loaded the data are in the binary logs once more. A cleanly stopped server does not need them.
fn remove_binary_logs(data: &Path) -> Result<(), FileError> {
    let entries = fs::read_dir(data).map_err(FileError::at("read", data))?;
    let indexes = entries.flatten().map(|entry| entry.path()).filter(|path| {
        // `binlog.index`, `mysqld-bin.index`, `aria_log` has none: only binary and relay logs keep an index.
        path.extension().is_some_and(|extension| extension == "index")
    });
    for index in indexes {
        let text = fs::read_to_string(&index).map_err(FileError::at("read", &index))?;
        for line in text.lines() {
            // As the server writes them: relative to its data directory.
            if let Some(name) = Path::new(line.trim()).file_name() {
                remove_if_there(&data.join(name))?;
            }
        }
        remove_if_there(&index)?;
    }
    Ok(())
}

fn remove_if_there(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(FileError::at("remove", path)(error))
        }
        _ => Ok(()),
    }
}
