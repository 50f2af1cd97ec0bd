//! `checksums.json`: length and CRC-32 of the files of a trial, and of those beside the trials.
//!
//! A file that was cut between two lines looks whole, and noise within a line may still be a number. So each file is
//! compared with its checksum. It is written last, when a trial or a run is over: a killed one has none, nor have
//! recordings of earlier versions, and what is not listed is not checked.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use model::FORMAT;
use serde::{Deserialize, Serialize};

use crate::{ReadError, StoreError, files};

#[derive(Debug, Serialize, Deserialize)]
struct Checksums {
    format: u32,
    /// Checksums by file name, relative to the directory.
    files: Written,
}

/// The checksums of a directory's files as they were written, by name.
pub type Written = BTreeMap<String, Checksum>;

/// The checksum of a file as it was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checksum {
    bytes: u64,
    /// The checksum as `crc32` prints it: eight hexadecimal digits.
    crc32: String,
}

impl Checksum {
    /// Reads the file in pieces: a load log may be large.
    fn of(path: &Path) -> io::Result<Self> {
        const PIECE: usize = 1 << 15;
        let mut file = File::open(path)?;
        let (mut hasher, mut bytes, mut piece) = (crc32fast::Hasher::new(), 0, [0; PIECE]);
        loop {
            match file.read(&mut piece) {
                Ok(0) => return Ok(Self { bytes, crc32: format!("{:08x}", hasher.finalize()) }),
                Ok(read) => {
                    hasher.update(&piece[..read]);
                    bytes += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Writes the checksums of those files that exist. `known` are entries to keep as they are.
pub fn write(directory: &Path, names: &[impl AsRef<str>], known: &Written) -> Result<(), StoreError> {
    let mut written = Written::new();
    for name in names.iter().map(AsRef::as_ref) {
        let path = directory.join(name);
        match Checksum::of(&path) {
            Ok(checksum) => _ = written.insert(name.to_owned(), checksum),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(StoreError::at("read", &path)(error)),
        }
    }
    written.extend(known.clone());
    files::write_atomic(
        &directory.join(files::CHECKSUMS),
        &files::to_json(&Checksums { format: FORMAT, files: written }),
    )
}

/// Removes the checksums, since the files will grow. Returns the entries that the files do not match.
pub fn forget(directory: &Path) -> Result<Written, StoreError> {
    let path = directory.join(files::CHECKSUMS);
    let differing = match differing(directory) {
        Ok(differing) => differing.into_iter().map(|(name, one)| (name, one.written)).collect(),
        Err(ReadError::Damaged { .. }) => Written::new(),
        Err(error) => return Err(error.into()),
    };
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::at("remove", &path)(error)),
        _ => Ok(differing),
    }
}

/// A file that is not as it was written.
#[derive(Debug)]
pub struct Difference {
    written: Checksum,
    /// The difference, in a sentence that names the file.
    pub what: String,
}

/// The files of a directory that differ from what was written, by name.
pub fn differing(directory: &Path) -> Result<BTreeMap<String, Difference>, ReadError> {
    let listed = files::read_json_if_there::<Checksums>(&directory.join(files::CHECKSUMS))?;
    let mut found = BTreeMap::new();
    for (name, written) in listed.into_iter().flat_map(|checksums| checksums.files) {
        if let Some(what) = difference(&directory.join(&name), &written)? {
            found.insert(name, Difference { written, what });
        }
    }
    Ok(found)
}

fn difference(path: &Path, written: &Checksum) -> Result<Option<String>, ReadError> {
    let name = files::display_name(path);
    let length = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(_) => return Ok(Some(format!("{name} is not a file"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Some(format!("{name} is missing")));
        }
        Err(error) => return Err(ReadError::at(path)(error)),
    };
    if length != written.bytes {
        return Ok(Some(other_length(path, length, written.bytes)));
    }
    let found = Checksum::of(path).map_err(ReadError::at(path))?;
    Ok((found != *written).then(|| format!("{name} has changed since it was written")))
}

/// The sentence that a file is shorter or longer than it was.
pub fn other_length(path: &Path, length: u64, written: u64) -> String {
    let name = files::display_name(path);
    if length < written {
        return format!("{name} has {length} of the {written} bytes that were written");
    }
    format!("{name} has {length} bytes, and {written} were written")
}
