//! A certificate for a server that makes none by itself, as MariaDB before 11.4. MySQL makes its own.

use std::path::{Path, PathBuf};

use model::{Flavour, TlsMode};
use rcgen::{CertificateParams, DnType, KeyPair};

use crate::error::FileError;
use crate::install::Installation;
use crate::settings::Settings;
use crate::state::write_private;

const CERTIFICATE: &str = "server-cert.pem";
const KEY: &str = "server-key.pem";

/// The certificate files for a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Files {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// Makes a self-signed certificate for localhost, if connections are to be encrypted and there is no other certificate.
pub(crate) fn provide(
    dir: &Path,
    installation: &Installation,
    settings: &Settings,
    mode: TlsMode,
) -> Result<Option<Files>, FileError> {
    let makes_its_own = installation.flavour == Flavour::Mysql || installation.number() >= (11, 4, 0);
    let wanted = !matches!(mode, TlsMode::Disabled | TlsMode::Preferred);
    if makes_its_own || !wanted || settings.get("ssl_cert").is_some() {
        return Ok(None);
    }
    let files = Files { certificate: dir.join(CERTIFICATE), key: dir.join(KEY) };
    let (certificate, key) = self_signed()
        .map_err(|error| FileError::at("make a certificate in", dir)(std::io::Error::other(error)))?;
    write_private(&files.certificate, certificate.as_bytes())?;
    write_private(&files.key, key.as_bytes())?;
    Ok(Some(files))
}

/// Certificate and key in PEM. An elliptic curve (P-256), where MySQL takes RSA with 2048 bits: handshakes with it are
/// cheaper for the server.
fn self_signed() -> Result<(String, String), rcgen::Error> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(["localhost".to_owned(), "127.0.0.1".to_owned()])?;
    params.distinguished_name.push(DnType::CommonName, "mydyno sandbox");
    Ok((params.self_signed(&key)?.pem(), key.serialize_pem()))
}
