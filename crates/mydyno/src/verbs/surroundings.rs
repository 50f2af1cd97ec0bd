//! Surroundings of a command line: environment, terminal, clock, and the home of sandboxed servers.

use std::cell::OnceCell;
use std::time::{SystemTime, UNIX_EPOCH};

use model::{Flavour, ServerKind, SpecTarget};
use sandbox::Home;

use super::like::{self, Likenesses};
use crate::error::{Outcome, UserError};
use crate::given::Given;
use crate::home;
use crate::options::connection::ask_password;
use crate::resolve::Context;

/// Opens the home only when something needs it: a run against a remote server leaves no trace of sandboxes.
pub struct Surroundings<'a> {
    given: &'a Given,
    home: OnceCell<Home>,
    likenesses: Likenesses,
}

impl<'a> Surroundings<'a> {
    /// Around what was given.
    pub fn new(given: &'a Given) -> Self {
        Self { given, home: OnceCell::new(), likenesses: Likenesses::default() }
    }

    /// The home of sandboxed servers.
    pub fn home(&self) -> Outcome<&Home> {
        if self.home.get().is_none() {
            let home = home::open()?;
            // The cell is empty: nothing else fills it.
            let _ = self.home.set(home);
        }
        Ok(self.home.get().expect("it was filled above"))
    }

    /// The home if a target needs it.
    ///
    /// # Errors
    /// It cannot be opened, or the machine has no such place as a sandbox is to have.
    pub fn home_for(&self, targets: &[SpecTarget]) -> Outcome<Option<&Home>> {
        let mut home = None;
        for target in targets {
            for member in &target.target.members {
                let ServerKind::Sandbox(sandbox) = &member.kind else { continue };
                let opened = self.home()?;
                let has_place = opened.check_place(&sandbox.place);
                has_place.map_err(|error| UserError::told(&error).about(&target.target.label))?;
                home = Some(opened);
            }
        }
        Ok(home)
    }

    /// Lets `make` read flags.
    pub fn with_context<T>(&self, make: impl FnOnce(&mut Context) -> Outcome<T>) -> Outcome<T> {
        make(&mut Context {
            environment: &self.given.environment,
            typed: &self.given.typed,
            installed: &|| self.installed(),
            version: &|sandbox| {
                let found = self.home().ok()?.resolve(sandbox.flavour, sandbox.basedir.as_deref());
                found.ok().map(|one| one.version)
            },
            like: &|request| like::settings(self.home()?, &self.likenesses, request),
            ask: &mut ask_password,
            fresh_seed: fresh_seed(),
        })
    }

    /// MySQL first: it is the namesake.
    fn installed(&self) -> Outcome<Vec<Flavour>> {
        let mut flavours: Vec<Flavour> = self.home()?.installations().iter().map(|one| one.flavour).collect();
        flavours.sort();
        flavours.dedup();
        Ok(flavours)
    }
}

/// A seed that is short enough to type.
fn fresh_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(since.subsec_nanos()) ^ (since.as_secs() & 0xffff_ffff) | 1
}
