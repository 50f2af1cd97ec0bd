//! Encryption of connections, in the words of the mysql client: on the command line and after the `?` of a target.

use std::path::PathBuf;

use clap::Args;
use model::{TlsMode, TlsSpec, TlsVersion};

use super::typed::Typed;
use crate::error::{Outcome, UserError};
use spec::switch;

/// Options about encryption.
#[derive(Args, Clone, Default, Debug, PartialEq, Eq)]
#[command(next_help_heading = "Connection")]
pub struct TlsArgs {
    /// Encryption: DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY [default: PREFERRED; sandboxes: DISABLED]
    #[arg(long, aliases = ["mysql-ssl", "ssl"], value_name = "MODE", value_parser = mode)]
    pub ssl_mode: Option<TlsMode>,
    /// File of certificate authorities (PEM)
    #[arg(long, alias = "mysql-ssl-ca", value_name = "FILE")]
    pub ssl_ca: Option<PathBuf>,
    /// File of the client certificate (PEM)
    #[arg(long, alias = "mysql-ssl-cert", value_name = "FILE")]
    pub ssl_cert: Option<PathBuf>,
    /// File of the client certificate's key (PEM)
    #[arg(long, alias = "mysql-ssl-key", value_name = "FILE")]
    pub ssl_key: Option<PathBuf>,
    /// TLS versions to offer: TLSv1.2, TLSv1.3 [default: both]
    #[arg(long, value_name = "VERSIONS", value_parser = versions)]
    pub tls_version: Option<Versions>,
    /// Resume earlier TLS sessions on new connections [default: off]
    #[arg(long, value_name = "on|off", num_args = 0..=1, require_equals = true, default_missing_value = "on",
        value_parser = switch)]
    pub ssl_resumption: Option<bool>,
}

/// The versions of `--tls-version`. A type of its own, since clap takes a `Vec` for an option that is repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versions(Vec<TlsVersion>);

impl TlsArgs {
    /// Fills in missing values.
    pub fn or(self, other: &TlsArgs) -> Self {
        Self {
            ssl_mode: self.ssl_mode.or(other.ssl_mode),
            ssl_ca: self.ssl_ca.or_else(|| other.ssl_ca.clone()),
            ssl_cert: self.ssl_cert.or_else(|| other.ssl_cert.clone()),
            ssl_key: self.ssl_key.or_else(|| other.ssl_key.clone()),
            tls_version: self.tls_version.or_else(|| other.tls_version.clone()),
            ssl_resumption: self.ssl_resumption.or(other.ssl_resumption),
        }
    }

    /// The options that were typed, as opposed to set in an option file.
    pub fn typed(&self, typed: &Typed) -> Self {
        let all = self.clone();
        Self {
            ssl_mode: all.ssl_mode.filter(|_| typed.has("ssl_mode")),
            ssl_ca: all.ssl_ca.filter(|_| typed.has("ssl_ca")),
            ssl_cert: all.ssl_cert.filter(|_| typed.has("ssl_cert")),
            ssl_key: all.ssl_key.filter(|_| typed.has("ssl_key")),
            tls_version: all.tls_version.filter(|_| typed.has("tls_version")),
            ssl_resumption: all.ssl_resumption.filter(|_| typed.has("ssl_resumption")),
        }
    }

    /// Takes a key after the `?` of a target. Returns false if it is not about encryption.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "ssl-mode" => self.ssl_mode = Some(mode(value)?),
            "ssl-ca" => self.ssl_ca = Some(value.into()),
            "ssl-cert" => self.ssl_cert = Some(value.into()),
            "ssl-key" => self.ssl_key = Some(value.into()),
            "tls-version" => self.tls_version = Some(versions(value)?),
            "ssl-resumption" => self.ssl_resumption = Some(value.is_empty() || switch(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The specification they ask for; `mode` if they name none.
    pub fn spec(&self, mode: TlsMode) -> Outcome<TlsSpec> {
        if self.ssl_cert.is_some() != self.ssl_key.is_some() {
            return Err(UserError::usage("--ssl-cert and --ssl-key go together: one of them is missing"));
        }
        Ok(TlsSpec {
            mode: self.ssl_mode.unwrap_or(mode),
            ca: self.ssl_ca.clone(),
            cert: self.ssl_cert.clone(),
            key: self.ssl_key.clone(),
            versions: self.tls_version.clone().map(|versions| versions.0).unwrap_or_default(),
            resumption: self.ssl_resumption.unwrap_or(false),
        })
    }
}

/// MySQL's modes, and sysbench's `--mysql-ssl=on|off`.
fn mode(text: &str) -> Result<TlsMode, String> {
    match text.to_ascii_uppercase().replace('-', "_").as_str() {
        "DISABLED" | "OFF" | "0" | "FALSE" => Ok(TlsMode::Disabled),
        "PREFERRED" => Ok(TlsMode::Preferred),
        "REQUIRED" | "ON" | "1" | "TRUE" => Ok(TlsMode::Required),
        "VERIFY_CA" => Ok(TlsMode::VerifyCa),
        "VERIFY_IDENTITY" => Ok(TlsMode::VerifyIdentity),
        _ => Err("it is DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY".to_owned()),
    }
}

/// `TLSv1.2,TLSv1.3`, as MySQL's `tls_version`.
fn versions(text: &str) -> Result<Versions, String> {
    const ALL: [TlsVersion; 2] = [TlsVersion::V12, TlsVersion::V13];
    let version = |word: &str| {
        let named = ALL.into_iter().find(|version| version.name().eq_ignore_ascii_case(word.trim()));
        named.ok_or_else(|| {
            "there are TLSv1.2 and TLSv1.3, or both with a comma; older ones are not spoken".to_owned()
        })
    };
    text.split(',').map(version).collect::<Result<_, _>>().map(Versions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sysbenchs_switch_and_mysqls_modes_are_both_understood() {
        assert_eq!(mode("off"), Ok(TlsMode::Disabled));
        assert_eq!(mode("on"), Ok(TlsMode::Required));
        assert_eq!(mode("verify_ca"), Ok(TlsMode::VerifyCa));
        assert!(mode("maybe").is_err());
    }

    #[test]
    fn versions_are_named_as_the_server_names_them() {
        assert_eq!(versions("TLSv1.3"), Ok(Versions(vec![TlsVersion::V13])));
        assert_eq!(versions("tlsv1.2, TLSv1.3"), Ok(Versions(vec![TlsVersion::V12, TlsVersion::V13])));
        for wrong in ["TLSv1.1", "1.3", ""] {
            assert!(versions(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_certificate_needs_its_key() {
        let args = TlsArgs { ssl_cert: Some("c.pem".into()), ..TlsArgs::default() };
        assert_eq!(args.spec(TlsMode::Required).map_err(|e| e.exit), Err(crate::exit::Exit::Usage));
    }
}
