//! Real servers have the place that was asked for, and what was made for it goes with them.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests fail by panicking and say what they skip"
)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{FLAVOURS, Removed, ask, groups, half_a_cpu, home_with, lives, may_make_groups, spec};
use model::{Flavour, Place, SandboxSpec};
use rustix::process::{Pid, Signal, kill_process};
use sandbox::{Life, PlaceError, Purpose, StartError, StartOptions};

fn placed(flavour: Flavour, place: Place) -> SandboxSpec {
    SandboxSpec { place, ..spec(flavour, &[]) }
}

fn file(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

/// What the kernel says of the server's quota.
fn quota(group: &Path) -> String {
    let v1 = file(&group.join("cpu.cfs_quota_us"));
    if v1.is_empty() { file(&group.join("cpu.max")) } else { v1 }
}

#[test]
fn every_thread_of_a_server_runs_on_the_cpus_of_its_place() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        let name = format!("t-cpus-{}", flavour.name());
        let spec = placed(flavour, Place { cpus: "0".parse().ok(), ..Place::default() });
        let server = home.start(&StartOptions::new(&name, &spec)).unwrap();
        assert_eq!(ask(&server, "SELECT 1"), "1");
        let tasks = fs::read_dir(format!("/proc/{}/task", server.pid())).unwrap().flatten();
        let allowed: Vec<String> = tasks.map(|task| file(&task.path().join("status"))).collect();
        assert!(allowed.len() > 5 && allowed.iter().all(|status| status.contains("Cpus_allowed_list:\t0\n")));
        server.stop().unwrap();
    }
}

#[test]
fn a_server_has_its_quota_and_its_memory_and_the_group_goes_with_it() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        if !may_make_groups(&home) {
            return;
        }
        let name = format!("t-limits-{}", flavour.name());
        let place = Place { memory_max_bytes: Some(1 << 30), ..half_a_cpu() };
        let mut spec = placed(flavour, place);
        spec.settings.remove("innodb_buffer_pool_size");
        let server = home.start(&StartOptions::new(&name, &spec)).unwrap();
        // A quarter of what it may have.
        assert_eq!(ask(&server, "SELECT @@innodb_buffer_pool_size"), (256 << 20).to_string());
        let made = groups(&name);
        let of = |what: &str| made.iter().find(|group| !file(&group.join(what)).is_empty()).unwrap();
        let pid = server.pid().to_string();
        assert!(made.iter().all(|group| file(&group.join("cgroup.procs")) == pid), "{made:?}");
        let (v1, v2) = ("cpu.cfs_quota_us", "cpu.max");
        let cpu = made.iter().find(|group| group.join(v1).exists() || group.join(v2).exists()).unwrap();
        assert!(quota(cpu).starts_with("50000"), "{}", quota(cpu));
        let version_2 = made.iter().any(|group| group.join("memory.max").exists());
        let limit = if version_2 { "memory.max" } else { "memory.limit_in_bytes" };
        assert_eq!(file(&of(limit).join(limit)), (1 << 30).to_string());
        server.stop().unwrap();
        assert_eq!(groups(&name), Vec::<PathBuf>::new());
    }
}

#[test]
fn the_group_of_a_server_that_was_killed_or_never_started_is_removed() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        if !may_make_groups(&home) {
            return;
        }
        let name = format!("t-group-{}", flavour.name());
        let spec = placed(flavour, half_a_cpu());
        let mut server = home.start(&StartOptions::new(&name, &spec)).unwrap();
        let pid = server.pid();
        assert_eq!(groups(&name).len(), 1);
        kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), Signal::KILL).unwrap();
        while server.alive().is_ok() {}
        assert!(server.stop().is_err() && !lives(pid));
        assert_eq!(groups(&name), Vec::<PathBuf>::new(), "after a kill");

        let mut wrong = spec.clone();
        wrong.settings.insert("inodb_x".to_owned(), "1".to_owned());
        let error = home.start(&StartOptions::new(&name, &wrong)).unwrap_err();
        assert!(matches!(error, StartError::Died { .. }), "{error}");
        assert_eq!(groups(&name), Vec::<PathBuf>::new(), "after a failed start");
    }
}

#[test]
fn a_lasting_server_keeps_its_group_until_it_is_stopped() {
    let home = home_with(Flavour::Mariadb);
    if !may_make_groups(&home) {
        return;
    }
    let name = "t-group-lasting";
    let _removed = Removed(&home, name);
    let spec = placed(Flavour::Mariadb, half_a_cpu());
    let options = StartOptions { life: Life::Lasting, ..StartOptions::new(name, &spec) };
    let server = home.start(&options).unwrap();
    let pid = server.pid();
    drop(server);
    assert_eq!(groups(name).len(), 1);
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), Signal::KILL).unwrap();
    while lives(pid) {}
    assert_eq!(home.list().unwrap().iter().find(|one| one.name == name).unwrap().pid, None);
    assert_eq!(groups(name), Vec::<PathBuf>::new(), "whoever looks next clears it away");

    drop(home.start(&options).unwrap());
    assert_eq!(groups(name).len(), 1);
    home.stop(name).unwrap();
    assert_eq!(groups(name), Vec::<PathBuf>::new());
}

#[test]
fn data_are_loaded_without_limits() {
    let home = home_with(Flavour::Mariadb);
    if !may_make_groups(&home) {
        return;
    }
    let spec = placed(Flavour::Mariadb, half_a_cpu());
    let options = StartOptions { purpose: Purpose::Load, ..StartOptions::new("t-load-place", &spec) };
    let server = home.start(&options).unwrap();
    assert_eq!(groups("t-load-place"), Vec::<PathBuf>::new());
    server.stop().unwrap();
}

#[test]
fn a_place_that_the_machine_does_not_have_is_refused_before_anything_is_started() {
    let home = home_with(Flavour::Mariadb);
    let refused = |place: Place| {
        let spec = placed(Flavour::Mariadb, place.clone());
        let error = home.start(&StartOptions::new("t-nowhere", &spec)).unwrap_err();
        assert!(matches!(error, StartError::Place(_)), "{error}");
        assert_eq!(home.check_place(&place).unwrap_err().to_string(), error.to_string());
        assert!(!home.root().join("servers/t-nowhere").exists());
        error.to_string()
    };
    let cpu = refused(Place { cpus: "0,1000".parse().ok(), ..Place::default() });
    assert!(cpu.starts_with("cpus=0,1000: this machine has no CPU 1000, only 0"), "{cpu}");
    let node = refused(Place { memory_nodes: "999".parse().ok(), ..Place::default() });
    assert!(node.starts_with("memory-nodes=999: this "), "{node}");
}

#[test]
fn a_server_has_the_memory_policy_of_its_place() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        let bound = Place { memory_nodes: "0".parse().ok(), cpu_nodes: "0".parse().ok(), ..Place::default() };
        let spread = Place { interleave: "all".parse().ok(), ..Place::default() };
        for (place, policy) in [(bound, "bind:0"), (spread, "interleave:0")] {
            match home.check_place(&place) {
                Ok(()) => {}
                Err(error @ (PlaceError::NoNumactl { .. } | PlaceError::NoNuma { .. })) => {
                    println!("not shown here: {error}");
                    return;
                }
                Err(error) => panic!("{error}"),
            }
            let name = format!("t-policy-{}", flavour.name());
            let spec = placed(flavour, place.clone());
            let server = home.start(&StartOptions::new(&name, &spec)).unwrap();
            let maps = file(Path::new(&format!("/proc/{}/numa_maps", server.pid())));
            assert_eq!(maps.lines().filter(|line| line.contains(" default ")).count(), 0, "{policy}: {maps}");
            assert!(maps.contains(&format!(" {policy}")), "{policy}: {maps}");
            server.stop().unwrap();

            // The server would do as it is told by its own setting: that is seen.
            let mut own = placed(flavour, place);
            own.settings.insert("innodb_numa_interleave".to_owned(), "ON".to_owned());
            let error = home.start(&StartOptions::new(&name, &own)).unwrap_err().to_string();
            assert!(error.contains("the kernel says default"), "{error}");
        }
    }
}
