//! The content of one file: durable in its object, volatile in an overlay.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use rustix::io::Errno;

use crate::lock::guard;
use crate::objects::{Answer, Objects};
use crate::overlay::{Overlay, PAGE, SECTOR};

/// State shared by all files of a disk.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// The power is off.
    pub cut: AtomicBool,
    /// Pages in all overlays.
    pub pages: AtomicI64,
}

impl Shared {
    /// Fails once the power is off.
    pub(crate) fn powered(&self) -> Answer<()> {
        if self.cut.load(Ordering::SeqCst) { Err(Errno::IO) } else { Ok(()) }
    }

    fn count(&self, before: usize, after: usize) {
        self.pages.fetch_add(after as i64 - before as i64, Ordering::Relaxed);
    }
}

/// The effect of a file's flush on its metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Flushed {
    /// The inode had changed, if only its modification time: fsync(2) commits it.
    pub inode: bool,
    /// Metadata needed to read the data had changed: fdatasync(2) commits it.
    pub size: bool,
}

/// One file. Locks are taken in this order: `turn`, `state`.
#[derive(Debug)]
pub(crate) struct Content {
    object: u64,
    /// Held while flushing. A second flush waits for the first, whose writes are then durable.
    turn: Mutex<()>,
    pub(crate) state: Mutex<State>,
}

#[derive(Debug)]
pub(crate) struct State {
    /// Size as seen by the server, bytes.
    pub size: u64,
    /// Size after a power failure, bytes. The object may be longer.
    pub durable_size: u64,
    /// Offset beyond which the object's bytes no longer belong to the file, because an unflushed truncation removed them;
    /// `MAX`: there is none.
    pub valid: u64,
    pub overlay: Overlay,
    /// Being written to the object by a flush: below the overlay, above the object.
    pub flushing: Option<Arc<Overlay>>,
    pub modified: SystemTime,
    pub inode_changed: bool,
    pub size_changed: bool,
}

impl State {
    /// A page of the content below the overlay.
    fn below(&self, objects: &impl Objects, object: u64, number: u64, bytes: &mut [u8; PAGE]) -> Answer<()> {
        let start = number * PAGE as u64;
        let valid = self.valid.saturating_sub(start).min(PAGE as u64) as usize;
        match self.flushing.as_ref().and_then(|flushing| flushing.page(number)) {
            Some(page) => bytes.copy_from_slice(page.bytes()),
            None if valid > 0 => objects.read(object, start, &mut bytes[..valid])?,
            None => {}
        }
        bytes[valid..].fill(0);
        Ok(())
    }

    fn touch(&mut self) {
        self.modified = SystemTime::now();
        self.inode_changed = true;
    }

    /// Pages that a flush did not bring to an end are dirty again.
    pub(crate) fn take_back(&mut self, shared: &Shared) {
        let Some(flushing) = self.flushing.take() else { return };
        let before = self.overlay.len() + flushing.len();
        let mut older = Arc::unwrap_or_clone(flushing);
        older.truncate(self.valid.min(self.size));
        self.overlay.put_below(older);
        shared.count(before, self.overlay.len());
        (self.inode_changed, self.size_changed) = (true, true);
    }
}

impl Content {
    /// A file whose object has this size, bytes. `is_new`: no flush has seen it.
    pub(crate) fn new(object: u64, size: u64, is_new: bool) -> Self {
        let state = State {
            size,
            durable_size: size,
            valid: u64::MAX,
            overlay: Overlay::default(),
            flushing: None,
            modified: SystemTime::now(),
            inode_changed: is_new,
            size_changed: is_new,
        };
        Self { object, turn: Mutex::default(), state: Mutex::new(state) }
    }

    pub(crate) fn object(&self) -> u64 {
        self.object
    }

    /// Size, bytes, and time of modification.
    pub(crate) fn size(&self) -> (u64, SystemTime) {
        let state = guard(&self.state);
        (state.size, state.modified)
    }

    /// The next fsync has metadata to commit.
    pub(crate) fn changed(&self) {
        guard(&self.state).inode_changed = true;
    }

    /// Reads up to this number of bytes; fewer at the end of the file.
    pub(crate) fn read(&self, objects: &impl Objects, offset: u64, length: usize) -> Answer<Vec<u8>> {
        let state = guard(&self.state);
        let length = state.size.saturating_sub(offset).min(length as u64) as usize;
        let mut bytes = vec![0; length];
        if length == 0 {
            return Ok(bytes);
        }
        let (first, last) = (offset / PAGE as u64, (offset + length as u64 - 1) / PAGE as u64);
        let has_flushing = state.flushing.as_ref().is_some_and(|flushing| flushing.overlaps(first..=last));
        if !has_flushing && !state.overlay.overlaps(first..=last) {
            let valid = state.valid.saturating_sub(offset).min(length as u64) as usize;
            objects.read(self.object, offset, &mut bytes[..valid])?;
            return Ok(bytes);
        }
        let mut page = [0; PAGE];
        for number in first..=last {
            match state.overlay.page(number) {
                Some(found) => page = *found.bytes(),
                None => state.below(objects, self.object, number, &mut page)?,
            }
            let start = number * PAGE as u64;
            let from = offset.max(start);
            let to = (offset + length as u64).min(start + PAGE as u64);
            bytes[(from - offset) as usize..(to - offset) as usize]
                .copy_from_slice(&page[(from - start) as usize..(to - start) as usize]);
        }
        Ok(bytes)
    }

    /// Writes to the overlay; with `through`, whole sectors go to the object at once, as direct writes to a protected disk do.
    pub(crate) fn write(
        &self,
        objects: &impl Objects,
        shared: &Shared,
        (offset, data): (u64, &[u8]),
        through: bool,
    ) -> Answer<()> {
        if data.is_empty() {
            return Ok(());
        }
        let end = offset.checked_add(data.len() as u64).filter(|end| *end <= i64::MAX as u64);
        let end = end.ok_or(Errno::FBIG)?;
        let whole = offset.is_multiple_of(SECTOR as u64) && data.len().is_multiple_of(SECTOR);
        let mut turn = None;
        loop {
            let mut state = guard(&self.state);
            shared.powered()?;
            let to_object = through && whole && end <= state.valid;
            let pages = offset / PAGE as u64..=(end - 1) / PAGE as u64;
            let is_flushed = state.flushing.as_ref().is_some_and(|flushing| flushing.overlaps(pages));
            if to_object && is_flushed && turn.is_none() {
                // The flush would write older bytes over these.
                drop(state);
                turn = Some(guard(&self.turn));
                continue;
            }
            let before = state.overlay.len();
            if to_object {
                objects.write(self.object, offset, data)?;
                state.overlay.wrote_below(offset, data);
            } else {
                let mut overlay = std::mem::take(&mut state.overlay);
                let below = |number, bytes: &mut [u8; PAGE]| state.below(objects, self.object, number, bytes);
                let written = overlay.write(offset, data, below);
                state.overlay = overlay;
                written?;
            }
            shared.count(before, state.overlay.len());
            state.touch();
            if end > state.size {
                state.size = end;
                state.size_changed = true;
            }
            return Ok(());
        }
    }

    /// Cuts the file off, or extends it with zeros.
    pub(crate) fn resize(&self, shared: &Shared, size: u64) -> Answer<()> {
        let mut state = guard(&self.state);
        shared.powered()?;
        if size > i64::MAX as u64 {
            return Err(Errno::FBIG);
        }
        if size < state.size {
            let before = state.overlay.len();
            state.overlay.truncate(size);
            shared.count(before, state.overlay.len());
            state.valid = state.valid.min(size);
        }
        state.size = size;
        state.size_changed = true;
        state.touch();
        Ok(())
    }

    /// Overwrites a range within the file with zeros, and extends the file if requested.
    pub(crate) fn zero(
        &self,
        objects: &impl Objects,
        shared: &Shared,
        (offset, end): (u64, u64),
        extend: bool,
    ) -> Answer<()> {
        static ZEROS: [u8; 16 * PAGE] = [0; 16 * PAGE];
        let (size, _) = self.size();
        let mut at = offset;
        while at < end.min(size) {
            let length = (end.min(size) - at).min(ZEROS.len() as u64);
            self.write(objects, shared, (at, &ZEROS[..length as usize]), false)?;
            at += length;
        }
        if extend && end > size { self.resize(shared, end) } else { Ok(()) }
    }

    /// Implements fdatasync(2) and fsync(2): when this returns, everything written before is in the object and durable. Other
    /// threads read and write meanwhile.
    pub(crate) fn flush(&self, objects: &impl Objects, shared: &Shared) -> Answer<Flushed> {
        let _turn = guard(&self.turn);
        let (overlay, size, flushed) = self.begin_flush(objects, shared)?;
        let written = overlay.runs(size, |offset, bytes| {
            shared.powered()?;
            objects.write(self.object, offset, bytes)
        });
        let written = written.and_then(|()| objects.sync(self.object));
        let mut state = guard(&self.state);
        // A flush that the cut overtook was not acknowledged: what of it is kept is decided with all the rest.
        let written = written.and_then(|()| shared.powered());
        match written {
            Ok(()) => {
                state.durable_size = size;
                let pages = state.flushing.take().map_or(0, |flushing| flushing.len());
                shared.count(pages, 0);
                Ok(flushed)
            }
            Err(error) => {
                state.take_back(shared);
                Err(error)
            }
        }
    }

    /// A truncation becomes durable first, in one step with the size; then the overlay is taken to be written.
    fn begin_flush(&self, objects: &impl Objects, shared: &Shared) -> Answer<(Arc<Overlay>, u64, Flushed)> {
        let mut state = guard(&self.state);
        shared.powered()?;
        if state.valid < u64::MAX {
            if objects.size(self.object)? > state.valid {
                objects.resize(self.object, state.valid)?;
            }
            state.durable_size = state.durable_size.min(state.valid);
            state.valid = u64::MAX;
        }
        let overlay = Arc::new(std::mem::take(&mut state.overlay));
        state.flushing = Some(Arc::clone(&overlay));
        let flushed = Flushed { inode: state.inode_changed, size: state.size_changed };
        (state.inode_changed, state.size_changed) = (false, false);
        Ok((overlay, state.size, flushed))
    }
}
