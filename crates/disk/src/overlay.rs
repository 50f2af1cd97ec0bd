//! Unflushed writes of a file: pages over its durable content.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Size that a disk writes atomically, bytes.
pub(crate) const SECTOR: usize = 512;
/// Size of the overlay's pages, bytes: the page of the kernel's page cache, and the sector of most current disks.
pub(crate) const PAGE: usize = 4096;
const SECTORS: usize = PAGE / SECTOR;

/// One page: its content, and which of its sectors were written.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    bytes: Box<[u8; PAGE]>,
    /// Bit mask of the written sectors; the lowest bit is the first sector. The other sectors are copies of the content below.
    dirty: u8,
}

/// Pages by their number in the file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overlay {
    pages: BTreeMap<u64, Page>,
}

impl Page {
    pub(crate) fn bytes(&self) -> &[u8; PAGE] {
        &self.bytes
    }

    pub(crate) fn is_dirty(&self, sector: usize) -> bool {
        self.dirty & (1 << sector) != 0
    }

    /// The sectors from the first to the last byte of a range.
    fn mask(from: usize, to: usize) -> u8 {
        (from / SECTOR..to.div_ceil(SECTOR)).fold(0, |mask, sector| mask | 1 << sector)
    }
}

impl Overlay {
    pub(crate) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Number of its pages.
    pub(crate) fn len(&self) -> usize {
        self.pages.len()
    }

    /// The pages in ascending order.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (u64, &Page)> {
        self.pages.iter().map(|(number, page)| (*number, page))
    }

    pub(crate) fn page(&self, number: u64) -> Option<&Page> {
        self.pages.get(&number)
    }

    /// Whether it overlaps any of these pages.
    pub(crate) fn overlaps(&self, numbers: RangeInclusive<u64>) -> bool {
        self.pages.range(numbers).next().is_some()
    }

    /// Writes data. `below` fills a page that is not here yet and is not written as a whole. Returns the number of new pages.
    ///
    /// # Errors
    /// The error of `below`; the pages before stay written.
    pub(crate) fn write<E>(
        &mut self,
        offset: u64,
        data: &[u8],
        mut below: impl FnMut(u64, &mut [u8; PAGE]) -> Result<(), E>,
    ) -> Result<(), E> {
        for (number, from, part) in parts(offset, data) {
            let to = from + part.len();
            let page = match self.pages.entry(number) {
                std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::btree_map::Entry::Vacant(entry) => {
                    let mut bytes = Box::new([0; PAGE]);
                    if part.len() < PAGE {
                        below(number, &mut bytes)?;
                    }
                    entry.insert(Page { bytes, dirty: 0 })
                }
            };
            page.bytes[from..to].copy_from_slice(part);
            page.dirty |= Page::mask(from, to);
        }
        Ok(())
    }

    /// Whole sectors were written to the layer below: the overlay is no longer newer there.
    pub(crate) fn wrote_below(&mut self, offset: u64, data: &[u8]) {
        for (number, from, part) in parts(offset, data) {
            let Some(page) = self.pages.get_mut(&number) else { continue };
            page.bytes[from..from + part.len()].copy_from_slice(part);
            page.dirty &= !Page::mask(from, from + part.len());
            if page.dirty == 0 {
                self.pages.remove(&number);
            }
        }
    }

    /// Forgets everything from this byte on.
    pub(crate) fn truncate(&mut self, size: u64) {
        let (number, within) = (size / PAGE as u64, (size % PAGE as u64) as usize);
        drop(self.pages.split_off(&(number + u64::from(within > 0))));
        if within == 0 {
            return;
        }
        if let Some(page) = self.pages.get_mut(&number) {
            page.bytes[within..].fill(0);
            page.dirty &= Page::mask(0, within);
            if page.dirty == 0 {
                self.pages.remove(&number);
            }
        }
    }

    /// Restores pages that are older than those here.
    pub(crate) fn put_below(&mut self, older: Self) {
        for (number, page) in older.pages {
            self.pages.entry(number).and_modify(|newer| newer.dirty |= page.dirty).or_insert(page);
        }
    }

    /// Calls `task` with each run of neighbouring dirty sectors: where it begins, and its bytes, 1 MiB at most. Data at or
    /// beyond `size` are left out.
    ///
    /// # Errors
    /// The error of `task`.
    pub(crate) fn runs<E>(
        &self,
        size: u64,
        mut task: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        const LONGEST: usize = 1 << 20;
        let mut run: Vec<u8> = Vec::new();
        let mut start = 0;
        for (number, page) in &self.pages {
            for sector in (0..SECTORS).filter(|sector| page.is_dirty(*sector)) {
                let at = number * PAGE as u64 + (sector * SECTOR) as u64;
                if at >= size {
                    break;
                }
                if start + run.len() as u64 != at || run.len() >= LONGEST {
                    if !run.is_empty() {
                        task(start, &run)?;
                    }
                    run.clear();
                    start = at;
                }
                let length = SECTOR.min((size - at) as usize);
                run.extend_from_slice(&page.bytes[sector * SECTOR..][..length]);
            }
        }
        if run.is_empty() { Ok(()) } else { task(start, &run) }
    }
}

/// Cuts what begins at an offset at the borders of pages: number of the page, where in it, and the bytes.
fn parts(offset: u64, data: &[u8]) -> impl Iterator<Item = (u64, usize, &[u8])> {
    let mut offset = offset;
    let mut rest = data;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (number, from) = (offset / PAGE as u64, (offset % PAGE as u64) as usize);
        let (part, later) = rest.split_at(rest.len().min(PAGE - from));
        offset += part.len() as u64;
        rest = later;
        Some((number, from, part))
    })
}
