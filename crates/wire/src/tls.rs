//! TLS as MySQL's ssl-modes define it, through rustls with an explicit provider; nothing is installed process-wide.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use rustls::{
    AlertDescription, CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error,
    HandshakeKind, RootCertStore, SignatureScheme, SupportedProtocolVersion,
    client::{
        Resumption, WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime, pem::PemObject},
    version::{TLS12, TLS13},
};

use crate::error::{ConnectError, TlsFault, TlsFile};

/// MySQL's --ssl-mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TlsPolicy {
    /// Never.
    Disabled,
    /// If the server offers it, without verification; never over a Unix socket.
    #[default]
    Preferred,
    /// Always, without verification.
    Required,
    /// Always; the certificate must chain to the given authority (or one of the system's).
    VerifyCa,
    /// Like the previous one, and the certificate must name the host.
    VerifyIdentity,
}

/// A version of the TLS protocol that servers of today speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsProtocol {
    /// RFC 5246.
    V12,
    /// RFC 8446.
    V13,
}

/// The TLS options.
#[derive(Debug, Clone, Default)]
pub struct TlsOptions {
    /// The policy: whether to encrypt, and how far to verify.
    pub mode: TlsPolicy,
    /// Versions to offer; empty: all.
    pub versions: Vec<TlsProtocol>,
    /// Whether connections made by one [`crate::Connector`] resume its earlier sessions.
    pub resumption: bool,
    /// Authorities in PEM; the system's when absent.
    pub ca: Option<PathBuf>,
    /// The client's certificate chain in PEM.
    pub cert: Option<PathBuf>,
    /// The key of `cert` in PEM.
    pub key: Option<PathBuf>,
}

/// The negotiated parameters of an encrypted connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsSession {
    /// The version as MySQL writes it: `TLSv1.3`.
    pub version: String,
    /// The cipher suite by its IANA name.
    pub cipher: String,
    /// Whether an earlier session was resumed, which spares the certificates and most of the arithmetic.
    pub resumed: bool,
    /// Duration of the handshake, from its first to its last byte.
    pub took: Duration,
}

/// The parts shared by all connections to one address: read and computed once, including the session cache.
#[derive(Debug)]
pub(crate) struct Context {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
    address: String,
}

impl Context {
    /// `host` is what VERIFY_IDENTITY compares.
    pub fn new(options: &TlsOptions, host: &str, address: &str) -> Result<Self, ConnectError> {
        let failed = |error: Error| tls_error(address, &error);
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&versions(&options.versions))
            .map_err(failed)?
            .dangerous()
            .with_custom_certificate_verifier(verifier(options, provider, address)?);
        let mut config = match client_identity(options)? {
            Some((chain, key)) => builder.with_client_auth_cert(chain, key).map_err(failed)?,
            None => builder.with_no_client_auth(),
        };
        config.resumption = if options.resumption {
            Resumption::in_memory_sessions(SESSIONS)
        } else {
            Resumption::disabled()
        };
        // A host that is not a valid name can still be connected to where names are not compared.
        let name = match ServerName::try_from(host.to_owned()) {
            Ok(name) => name,
            Err(_) if options.mode != TlsPolicy::VerifyIdentity => {
                config.enable_sni = false;
                ServerName::from(std::net::IpAddr::from([127, 0, 0, 1]))
            }
            Err(_) => return Err(failed(Error::InvalidCertificate(CertificateError::NotValidForName))),
        };
        Ok(Self { config: Arc::new(config), name, address: address.to_owned() })
    }

    /// A client connection ready for the handshake.
    pub fn connection(&self) -> Result<ClientConnection, ConnectError> {
        ClientConnection::new(Arc::clone(&self.config), self.name.clone())
            .map_err(|error| tls_error(&self.address, &error))
    }
}

/// Servers whose sessions are remembered: there is one.
const SESSIONS: usize = 1;

fn versions(asked: &[TlsProtocol]) -> Vec<&'static SupportedProtocolVersion> {
    let supported = |version: &TlsProtocol| match version {
        TlsProtocol::V12 => &TLS12,
        TlsProtocol::V13 => &TLS13,
    };
    if asked.is_empty() { vec![&TLS13, &TLS12] } else { asked.iter().map(supported).collect() }
}

/// The parameters negotiated in a finished handshake, and its duration.
pub(crate) fn session(tls: &ClientConnection, took: Duration) -> TlsSession {
    let version = tls.protocol_version().and_then(|version| version.as_str()).unwrap_or_default();
    let suite = tls.negotiated_cipher_suite().and_then(|suite| suite.suite().as_str()).unwrap_or_default();
    TlsSession {
        version: version.replace('_', "."),
        cipher: suite.replacen("TLS13_", "TLS_", 1),
        resumed: tls.handshake_kind() == Some(HandshakeKind::Resumed),
        took,
    }
}

/// A TLS failure by its kind.
pub(crate) fn tls_error(address: &str, error: &Error) -> ConnectError {
    let fault = match error {
        Error::InvalidCertificate(CertificateError::Other(other))
            if other.to_string().contains("UnsupportedCertVersion") =>
        {
            TlsFault::CertificateVersion
        }
        Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        ) => TlsFault::CertificateName,
        Error::InvalidCertificate(_) => TlsFault::CertificateUntrusted,
        Error::AlertReceived(AlertDescription::ProtocolVersion | AlertDescription::HandshakeFailure)
        | Error::PeerIncompatible(_) => TlsFault::Version,
        Error::AlertReceived(_) => TlsFault::Refused,
        _ => TlsFault::Other,
    };
    ConnectError::Tls { address: address.to_owned(), detail: error.to_string(), fault }
}

fn verifier(
    options: &TlsOptions,
    provider: Arc<CryptoProvider>,
    address: &str,
) -> Result<Arc<dyn ServerCertVerifier>, ConnectError> {
    let schemes = provider.signature_verification_algorithms.supported_schemes();
    if matches!(options.mode, TlsPolicy::Disabled | TlsPolicy::Preferred | TlsPolicy::Required) {
        return Ok(Arc::new(Verifier { schemes, chain: None, names: Names::Any }));
    }
    let chain = WebPkiServerVerifier::builder_with_provider(Arc::new(roots(options)?), provider)
        .build()
        .map_err(|error| tls_error(address, &Error::General(error.to_string())))?;
    let names = if options.mode == TlsPolicy::VerifyIdentity { Names::Checked } else { Names::Any };
    Ok(Arc::new(Verifier { schemes, chain: Some(chain), names }))
}

fn roots(options: &TlsOptions) -> Result<RootCertStore, ConnectError> {
    let mut roots = RootCertStore::empty();
    match &options.ca {
        Some(path) => {
            for certificate in certificates(TlsFile::Ca, path)? {
                roots.add(certificate).map_err(|error| file_error(TlsFile::Ca, path, error))?;
            }
        }
        None => {
            // A single unreadable certificate of the system's must not spoil the others.
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    Ok(roots)
}

type Identity = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

fn client_identity(options: &TlsOptions) -> Result<Option<Identity>, ConnectError> {
    match (&options.cert, &options.key) {
        (None, None) => Ok(None),
        (Some(cert), Some(key)) => {
            let chain = certificates(TlsFile::Cert, cert)?;
            let secret =
                PrivateKeyDer::from_pem_file(key).map_err(|error| file_error(TlsFile::Key, key, error))?;
            Ok(Some((chain, secret)))
        }
        (Some(cert), None) => Err(file_error(TlsFile::Cert, cert, "its key is missing")),
        (None, Some(key)) => Err(file_error(TlsFile::Key, key, "its certificate is missing")),
    }
}

fn certificates(file: TlsFile, path: &Path) -> Result<Vec<CertificateDer<'static>>, ConnectError> {
    let certificates: Vec<_> = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect)
        .map_err(|error| file_error(file, path, error))?;
    if certificates.is_empty() {
        return Err(file_error(file, path, "no certificate in it"));
    }
    Ok(certificates)
}

fn file_error(file: TlsFile, path: &Path, detail: impl ToString) -> ConnectError {
    ConnectError::TlsFile { file, path: path.to_owned(), detail: detail.to_string() }
}

/// Whether the host's name must be in the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    Checked,
    Any,
}

/// Verifies as far as the ssl-mode asks. Without a chain nothing is verified, not even signatures: certificates made by
/// `openssl x509` are often version 1, which webpki would refuse, and REQUIRED promises encryption only.
#[derive(Debug)]
struct Verifier {
    schemes: Vec<SignatureScheme>,
    chain: Option<Arc<WebPkiServerVerifier>>,
    names: Names,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(chain) = &self.chain else { return Ok(ServerCertVerified::assertion()) };
        match chain.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            // webpki checks the chain first and the name last, so a wrong name means a good chain.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.names == Names::Any => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        match &self.chain {
            Some(chain) => chain.verify_tls12_signature(message, cert, dss),
            None => Ok(HandshakeSignatureValid::assertion()),
        }
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        match &self.chain {
            Some(chain) => chain.verify_tls13_signature(message, cert, dss),
            None => Ok(HandshakeSignatureValid::assertion()),
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes.clone()
    }
}
