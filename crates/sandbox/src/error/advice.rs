//! Advice for each error.

use model::{Advice, Advise, OptionId, Verb};

use super::{
    CopyError, Crashed, FileError, HomeError, InstallError, SandboxError, SettingError, SpaceError,
    StartError,
};
use crate::log::Reading;

const NAMES: &str = "use 1 to 64 letters, digits, '-', '_' and '.', not starting with '.'";

fn own_build(flavour: &str) -> Advice {
    Advice::line("use a build of your own as the target", format!("sandbox:{flavour}@/path/of/{flavour}"))
}

fn larger_home() -> Advice {
    Advice::words("free some space, or set MYDYNO_HOME to a directory on a larger file system")
}

fn remove(name: &str) -> Advice {
    Advice::run("remove it first", Verb::ServerRemove(name.to_owned()))
}

impl Advise for FileError {}

impl Advise for HomeError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::File(_) => Vec::new(),
            Self::Path { .. } => vec![Advice::words("set MYDYNO_HOME to another directory")],
        }
    }
}

impl Advise for SpaceError {
    fn advice(&self) -> Vec<Advice> {
        vec![larger_home()]
    }
}

impl Advise for SettingError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::Name { .. } | Self::Value { .. } | Self::Refused { .. } => Vec::new(),
            Self::Outside { .. } => {
                vec![Advice::words("give a plain file name: the file is kept in the data directory")]
            }
            Self::Twice { .. } => vec![Advice::words("keep one of the two")],
        }
    }
}

impl Advise for InstallError {
    fn advice(&self) -> Vec<Advice> {
        let install = |what: String| vec![Advice::run("install it", Verb::ServerInstall(what))];
        match self {
            Self::File(_) | Self::Version { .. } | Self::Command { .. } => Vec::new(),
            Self::Space(error) => error.advice(),
            Self::Missing { flavour } => install((*flavour).to_owned()),
            Self::NoRouter => install("router".to_owned()),
            Self::NoVersion { flavour, version, .. } => install(format!("{flavour}@{version}")),
            Self::NotOffered { flavour, .. } | Self::NoMirror { flavour, .. } => vec![own_build(flavour)],
            Self::NoServer { .. } => vec![Advice::words("give the top of the server's directory")],
            Self::WrongFlavour { path, found, .. } => {
                vec![Advice::line("name it as what it is", format!("sandbox:{found}@{}", path.display()))]
            }
            Self::Tool { remedy, .. } => vec![remedy.clone()],
            Self::NeedsRoot { command } => vec![Advice::line("run as root", command)],
        }
    }
}

impl Advise for StartError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::File(error) => error.advice(),
            Self::Install(error) => error.advice(),
            Self::Setting(error) => error.advice(),
            Self::Space(error) => error.advice(),
            Self::Copy(error) => error.advice(),
            Self::Place(error) => error.advice(),
            Self::Name { .. } => vec![Advice::words(NAMES)],
            Self::Running { name, .. } => vec![Advice::run("stop it", Verb::ServerStop(name.clone()))],
            Self::Kept { name } | Self::OtherData { name, .. } => vec![remove(name)],
            Self::InUse { .. } => vec![Advice::words("wait for it to end, or use another name")],
            Self::PortTaken { .. } => vec![
                Advice::option("choose another port", OptionId::Port),
                Advice::words("or choose none, to get one that is free"),
            ],
            Self::Initialise { reading, .. } | Self::Died { reading, .. } => advice_of(reading.as_ref()),
            Self::OnData { .. }
            | Self::Spawn { .. }
            | Self::NotReady { .. }
            | Self::Login { .. }
            | Self::Cancelled { .. } => Vec::new(),
        }
    }
}

fn advice_of(reading: Option<&Reading>) -> Vec<Advice> {
    reading.and_then(|reading| reading.advice.clone()).into_iter().collect()
}

impl Advise for Crashed {
    fn advice(&self) -> Vec<Advice> {
        advice_of(self.reading.as_ref())
    }
}

impl Advise for SandboxError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::File(error) => error.advice(),
            Self::Crashed(error) => error.advice(),
            Self::Unknown { .. } => vec![Advice::run("see which there are", Verb::ServerList)],
            Self::NotRunning { name } => vec![Advice::run("start it", Verb::ServerStart(name.clone()))],
            Self::Running { name, .. } => vec![
                Advice::run("stop it first", Verb::ServerStop(name.clone())),
                Advice::option("stop it and go on", OptionId::Force),
            ],
            Self::InUse { .. } => vec![Advice::words("interrupt that one instead")],
            Self::NoClient => vec![
                Advice::line("install one", "apt-get install mariadb-client"),
                Advice::run("install one that comes with a server", Verb::ServerInstall("mysql".to_owned())),
            ],
            Self::Signal { .. } | Self::Stuck { .. } => Vec::new(),
        }
    }
}

impl Advise for CopyError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::File(error) => error.advice(),
            Self::Space(error) => error.advice(),
            Self::Stop(error) => error.advice(),
            Self::Key { .. } => vec![Advice::words(NAMES)],
            Self::Missing { .. } => vec![Advice::run("see which there are", Verb::ServerList)],
            Self::Mismatch { .. } => vec![Advice::words("load the data anew")],
            Self::Redo(_) | Self::Killed { .. } => Vec::new(),
        }
    }
}
