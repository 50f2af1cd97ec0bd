//! Losses in a power failure: decided from a seed, sector by sector.

use random::Rng;

use crate::content::{Content, Shared};
use crate::lock::guard;
use crate::objects::{Answer, Objects};
use crate::overlay::{PAGE, SECTOR};

/// The unflushed writes that survive a power failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Losses {
    /// Seed of the losses: the same seed after the same operations gives the same files.
    pub seed: u64,
    /// The unit that is kept or lost as a whole.
    pub unit: AtomicWrite,
    /// Whether anything survives.
    pub survivors: Survivors,
}

impl Losses {
    /// Loses everything that was not flushed.
    pub fn all() -> Self {
        Self { seed: 0, unit: AtomicWrite::Page, survivors: Survivors::None }
    }

    /// The seed decides.
    pub fn random(seed: u64, unit: AtomicWrite) -> Self {
        Self { seed, unit, survivors: Survivors::Random }
    }
}

/// The unit that a disk writes atomically. A larger write can be torn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AtomicWrite {
    /// 512 bytes, the traditional sector.
    Sector,
    /// 4 KiB, the physical sector of most disks of today.
    #[default]
    Page,
}

impl AtomicWrite {
    /// Its length in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Sector => SECTOR as u64,
            Self::Page => PAGE as u64,
        }
    }
}

/// Whether unflushed writes may survive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Survivors {
    /// No unflushed write survives.
    None,
    /// For each file none, all, or a random subset regardless of their order: a disk writes in the order that suits it. For
    /// changes to directories a prefix: a file system journals them in order.
    #[default]
    Random,
}

/// The losses of a power failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CutReport {
    /// Files with content or a size that was not flushed.
    pub dirty_files: u64,
    /// Bytes that were written and not flushed, in whole sectors of 512 bytes up to the end of the file.
    pub dirty_bytes: u64,
    /// Unflushed bytes that are in the files now.
    pub bytes_kept: u64,
    /// Unflushed bytes that were lost.
    pub bytes_lost: u64,
    /// Blocks of 16 KiB, the usual page of InnoDB, of which some unflushed writes were kept and some were lost.
    pub torn_pages: u64,
    /// Creations, removals, renames and changes of attributes that were not durable and are lost.
    pub namespace_operations_lost: u64,
    /// Operations of that kind that were kept.
    pub namespace_operations_kept: u64,
}

/// The usual page of InnoDB, in pages of ours.
const DATABASE_PAGE: u64 = 16384 / PAGE as u64;

/// The fate of one file.
struct Fate {
    rng: Rng,
    /// Probability that a unit survives.
    share: f64,
    /// Whether its size, including truncation, survives.
    size: bool,
}

impl Fate {
    fn of(losses: &Losses, object: u64) -> Self {
        let mut rng = Rng::stream(losses.seed, object);
        let share = match (losses.survivors, rng.below(3)) {
            (Survivors::None, _) | (_, 0) => 0.0,
            (_, 1) => 1.0,
            _ => rng.uniform_f64(),
        };
        let size = rng.uniform_f64() < share;
        Self { rng, share, size }
    }

    fn keeps(&mut self) -> bool {
        self.rng.uniform_f64() < self.share
    }
}

/// Decides what survives of a file: afterwards its object is the file. A file that is in no directory loses everything.
pub(crate) fn settle(
    content: &Content,
    objects: &impl Objects,
    shared: &Shared,
    losses: &Losses,
    is_reachable: bool,
    report: &mut CutReport,
) -> Answer<()> {
    let mut state = guard(&content.state);
    state.take_back(shared);
    let is_resized = state.size != state.durable_size || state.valid < u64::MAX;
    if state.overlay.is_empty() && !is_resized {
        return if is_reachable { fit(objects, content.object(), state.size) } else { Ok(()) };
    }
    report.dirty_files += 1;
    let mut fate = Fate::of(losses, content.object());
    let size = if fate.size { state.size } else { state.durable_size };
    // A truncation that is lost leaves the old content: later writes went to other blocks, which nothing points to.
    let writable = if fate.size { u64::MAX } else { state.valid };
    if is_reachable && fate.size && state.valid < u64::MAX {
        fit(objects, content.object(), objects.size(content.object())?.min(state.valid))?;
    }
    let mut torn = Torn::default();
    for (number, page) in state.overlay.pages() {
        let mut keeps = fate.keeps();
        for from in (0..PAGE).step_by(SECTOR).filter(|from| page.is_dirty(from / SECTOR)) {
            let start = number * PAGE as u64 + from as u64;
            let length = |limit: u64| limit.saturating_sub(start).min(SECTOR as u64);
            let (dirty, fits) = (length(state.size), length(size.min(writable).min(state.size)));
            let kept = if keeps && is_reachable { fits } else { 0 };
            if kept > 0 {
                objects.write(content.object(), start, &page.bytes()[from..from + kept as usize])?;
            }
            report.dirty_bytes += dirty;
            report.bytes_kept += kept;
            report.bytes_lost += dirty - kept;
            torn.count(number / DATABASE_PAGE, kept > 0, kept < dirty, report);
            if losses.unit == AtomicWrite::Sector {
                keeps = fate.keeps();
            }
        }
    }
    torn.end(report);
    if is_reachable { fit(objects, content.object(), size) } else { Ok(()) }
}

/// Makes the object so long.
pub(crate) fn fit(objects: &impl Objects, object: u64, size: u64) -> Answer<()> {
    if objects.size(object)? == size { Ok(()) } else { objects.resize(object, size) }
}

/// Counts blocks that are partly kept.
#[derive(Default)]
struct Torn {
    block: u64,
    kept: bool,
    lost: bool,
}

impl Torn {
    fn count(&mut self, block: u64, kept: bool, lost: bool, report: &mut CutReport) {
        if block != self.block {
            self.end(report);
            *self = Self { block, kept: false, lost: false };
        }
        self.kept |= kept;
        self.lost |= lost;
    }

    fn end(&self, report: &mut CutReport) {
        report.torn_pages += u64::from(self.kept && self.lost);
    }
}
