//! sysbench's general options that are accepted for the sake of its scripts and change nothing here.

use clap::Args;
use spec::{Value, Values};

/// Accepted, and of no effect.
#[derive(Args, Clone)]
#[command(next_help_heading = "Load")]
pub struct IgnoredArgs {
    /// sysbench's limit for starting its threads: here --connect-timeout bounds each connection
    #[arg(long, value_name = "SECONDS", hide = true)]
    pub thread_init_timeout: Option<f64>,
    /// sysbench's limit for ending: here open transactions are given up five seconds after the end
    #[arg(long, value_name = "SECONDS|off", hide = true)]
    pub forced_shutdown: Option<String>,
    /// sysbench's level of messages
    #[arg(long, value_name = "N", hide = true, value_parser = clap::value_parser!(u8).range(0..=5))]
    pub verbosity: Option<u8>,
    /// sysbench's checks, of which its OLTP workloads have none
    #[arg(long, value_name = "on|off", hide = true, default_value = "off", default_missing_value = "on", num_args = 0..=1,
        require_equals = true, action = clap::ArgAction::Set, value_parser = spec::switch)]
    pub validate: bool,
    /// sysbench's choice of driver: mysql is the only one here
    #[arg(long, hide = true, value_parser = ["mysql"])]
    pub db_driver: Option<String>,
}

impl IgnoredArgs {
    /// Remarks on options that have no effect, including a rate of 0.
    pub fn remarks(&self, values: &Values) -> Vec<String> {
        let timeout = self.thread_init_timeout.map(|_| {
            "--thread-init-timeout changes nothing here: connections are opened a few at a time, each within \
             --connect-timeout"
                .to_owned()
        });
        let is_no_rate = matches!(values.get("load.rate"), Some(Value::Phases(phases)) if phases.is_empty());
        let no_rate = is_no_rate.then(|| {
            "--rate=0 is no rate, as in sysbench: the loop is closed, each client goes on as soon as it can".to_owned()
        });
        let shutdown = self.forced_shutdown.as_ref().filter(|limit| *limit != "off").map(|_| {
            "--forced-shutdown changes nothing here: transactions that are open at the end are given up after 5 s"
                .to_owned()
        });
        // 3 is what sysbench takes if nothing is said.
        let verbosity = self.verbosity.filter(|level| *level != 3).map(|_| {
            "--verbosity changes nothing here: results go to standard output, progress to standard error"
                .to_owned()
        });
        let validate = self.validate.then(|| {
            "--validate checks nothing in these workloads, as in sysbench; mydyno check looks at the tables".to_owned()
        });
        let remarks = [timeout, no_rate, shutdown, verbosity, validate];
        remarks.into_iter().flatten().collect()
    }
}
