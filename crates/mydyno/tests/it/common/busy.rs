//! A machine that is busy with something else.

use std::process::{Child, Command};

/// Loops that want every CPU several times over.
pub struct Busy(Vec<Child>);

impl Busy {
    /// So many loops for each CPU.
    pub fn start(per_cpu: usize) -> Self {
        let loops = std::thread::available_parallelism().unwrap().get() * per_cpu;
        let burn = |_| Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        Self((0..loops).map(burn).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill().and_then(|()| child.wait());
        }
    }
}
