//! Applies a function to many items in parallel: a thousand trials are a thousand small files to read and decode.

use std::thread;

/// The results of `f` for each item, in their order; computed on all CPUs, or by this thread alone if there are few items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    /// Number of items below which a thread costs more than it helps.
    const FEW: usize = 16;
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len() / FEW).max(1);
    if threads == 1 {
        return items.iter().map(f).collect();
    }
    let f = &f;
    thread::scope(|scope| {
        let parts = items.chunks(items.len().div_ceil(threads));
        let workers: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().map(f).collect::<Vec<R>>())).collect();
        let done = workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        done.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn the_order_is_kept() {
        for count in [0, 1, 15, 16, 33, 1_000] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(in_parallel(&items, |item| item * 2), (0..count).map(|i| i * 2).collect::<Vec<_>>());
        }
    }
}
