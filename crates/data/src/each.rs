//! Runs the same work for many items, over several connections.

use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use crate::{
    account::{Account, Session},
    error::DataError,
};

/// Runs the same work for each item (a table, a warehouse, a statement, by its number), over several connections, until
/// `stop` gives a reason to end. The results are in the order of the items.
pub(crate) fn each<T: Send>(
    account: &Account,
    connections: u32,
    things: &[u32],
    stop: impl Fn() -> Option<DataError> + Sync,
    work: impl Fn(&mut Session<'_>, u32) -> Result<T, DataError> + Sync,
) -> Result<Vec<T>, DataError> {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let results = Mutex::new(Vec::with_capacity(things.len()));
    let connection = || -> Result<(), DataError> {
        let mut session = account.connect()?;
        while !failed.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(at) else { break };
            if let Some(reason) = stop() {
                return Err(reason);
            }
            let result = work(&mut session, *thing)?;
            results.lock().expect(NO_PANIC).push((at, result));
        }
        Ok(())
    };
    let connections = connections.clamp(1, u32::try_from(things.len()).unwrap_or(u32::MAX).max(1));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..connections)
            .map(|_| scope.spawn(|| connection().inspect_err(|_| failed.store(true, Ordering::Relaxed))))
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("a connection's thread does not panic"))
    })?;
    let mut results = results.into_inner().expect(NO_PANIC);
    results.sort_by_key(|(at, _)| *at);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// The reason a lock is never poisoned.
pub(crate) const NO_PANIC: &str = "nothing panics while holding the lock";
