//! Files shared by servers that belong together, for the code that starts them: a document and a lock under their common name.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::FileError;
use crate::home::{Home, is_name};
use crate::lock::Lock;
use crate::state::{read_json, write_json};

impl Home {
    /// The document of that name; none if there is none.
    pub fn document<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, FileError> {
        if is_name(name) { read_json(&self.document_path(name)) } else { Ok(None) }
    }

    /// Writes it, in one step.
    pub fn put_document<T: Serialize>(&self, name: &str, document: &T) -> Result<(), FileError> {
        write_json(&self.document_path(name), document)
    }

    /// Removes it, if it is there.
    pub fn remove_document(&self, name: &str) -> Result<(), FileError> {
        let path = self.document_path(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(FileError::at("remove", &path)(error)),
            _ => Ok(()),
        }
    }

    /// Names of all documents.
    pub fn documents(&self) -> Result<Vec<String>, FileError> {
        let dir = self.documents_dir();
        let entries = fs::read_dir(&dir).map_err(FileError::at("read", &dir))?;
        let files = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> =
            files.filter_map(|file| Some(file.strip_suffix(".json")?.to_owned())).collect();
        names.sort();
        Ok(names)
    }

    /// The lock of that name, if it is free.
    pub fn lock_document(&self, name: &str) -> Result<Option<Lock>, FileError> {
        Lock::try_take(&self.lock_path(&format!("topology-{name}")))
    }

    fn document_path(&self, name: &str) -> PathBuf {
        self.documents_dir().join(format!("{name}.json"))
    }
}
