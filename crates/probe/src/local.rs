//! Finds the process of a server on this machine.

use std::fs;
use std::path::Path;

use wire::Client;

/// The server's process, if it is on this machine and may be examined.
///
/// The server says its number in its pid file; that the process with this number works in the server's data directory, as
/// servers do, shows that it is not another one of the same number in some container.
pub fn server_pid(client: &mut Client) -> Option<u32> {
    let found = client.query("SELECT @@pid_file, @@datadir").ok()?;
    let row = found.first()?;
    pid_in(Path::new(row.text(0)?), Path::new(row.text(1)?))
}

/// A pid file that is not absolute lies in the data directory.
fn pid_in(pid_file: &Path, data: &Path) -> Option<u32> {
    let pid = fs::read_to_string(data.join(pid_file)).ok()?.trim().parse().ok()?;
    let works_in = fs::read_link(format!("/proc/{pid}/cwd")).ok()?;
    (works_in == data.canonicalize().ok()?).then_some(pid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_where_it_works() {
        let data = tempfile::tempdir().expect("a temporary directory");
        let mut child =
            std::process::Command::new("sleep").arg("60").current_dir(data.path()).spawn().expect("sleep");
        fs::write(data.path().join("server.pid"), format!("{}\n", child.id())).expect("a file");
        let found = pid_in(Path::new("server.pid"), data.path());
        let elsewhere = pid_in(&data.path().join("server.pid"), Path::new("/"));
        child.kill().and_then(|()| child.wait()).expect("it is ours");
        assert_eq!((found, elsewhere), (Some(child.id()), None));
    }
}
