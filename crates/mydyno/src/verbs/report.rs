//! `mydyno report`
use crate::cli::ReportArgs;
use crate::error::Outcome;
use crate::exit::Exit;
pub fn report(_args: &ReportArgs) -> Outcome<Exit> {
    Ok(Exit::Ok)
}
