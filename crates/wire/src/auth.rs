//! What each authentication plugin computes from password and challenge; the only file that touches cryptography.
//!
//! The dialogue around it (switch requests, fast and full authentication) is in [`crate::handshake`].

use rsa::{RsaPublicKey, pkcs1::DecodeRsaPublicKey, pkcs8::DecodePublicKey, rand_core::OsRng};
use sha1::{Digest as _, Sha1};
use sha2::{Digest as _, Sha256, Sha512};

/// Bytes of a challenge of mysql_native_password and caching_sha2_password.
pub const SCRAMBLE_BYTES: usize = 20;

/// The plugins that mydyno speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plugin {
    /// MySQL's default since 8.0.
    CachingSha2,
    /// The default before, and MariaDB's still.
    Native,
    /// MariaDB's client_ed25519.
    Ed25519,
    /// The password as it is; over TLS only.
    Clear,
}

/// Names as servers spell them: the one list of supported plugins.
const PLUGINS: [(&str, Plugin); 4] = [
    ("caching_sha2_password", Plugin::CachingSha2),
    ("mysql_native_password", Plugin::Native),
    ("client_ed25519", Plugin::Ed25519),
    ("mysql_clear_password", Plugin::Clear),
];

impl Plugin {
    /// The plugin of that name.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        PLUGINS.iter().find(|(known, _)| known.as_bytes() == name).map(|&(_, plugin)| plugin)
    }

    /// The name that servers use.
    pub fn name(self) -> &'static str {
        PLUGINS.iter().find(|&&(_, plugin)| plugin == self).map_or("", |&(name, _)| name)
    }
}

/// mysql_native_password: SHA1(p) xor SHA1(challenge, SHA1(SHA1(p))); nothing for an empty password.
pub fn native(password: &[u8], challenge: &[u8]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let once = Sha1::digest(password);
    let mut hash = Sha1::new();
    hash.update(challenge);
    hash.update(Sha1::digest(once));
    xor(&once, &hash.finalize())
}

/// caching_sha2_password, fast: SHA256(p) xor SHA256(SHA256(SHA256(p)), challenge); nothing for an empty password.
pub fn caching_sha2(password: &[u8], challenge: &[u8]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let once = Sha256::digest(password);
    let mut hash = Sha256::new();
    hash.update(Sha256::digest(once));
    hash.update(challenge);
    xor(&once, &hash.finalize())
}

/// MariaDB's ed25519: the challenge signed with a key whose expanded form is SHA512(password).
pub fn ed25519(password: &[u8], challenge: &[u8]) -> Vec<u8> {
    use ed25519_dalek::{VerifyingKey, hazmat};
    let expanded: [u8; 64] = Sha512::digest(password).into();
    let key = hazmat::ExpandedSecretKey::from_bytes(&expanded);
    let public = VerifyingKey::from(&key);
    hazmat::raw_sign::<Sha512>(&key, challenge, &public).to_bytes().to_vec()
}

/// caching_sha2_password, full, without TLS: the password with its final zero, xored with the challenge, under the
/// server's RSA key with OAEP padding (MySQL internals, "caching_sha2_password information").
pub fn encrypt_with_key(password: &[u8], challenge: &[u8], key_pem: &[u8]) -> Result<Vec<u8>, String> {
    if challenge.is_empty() {
        return Err("the server sent no challenge".into());
    }
    let pem =
        std::str::from_utf8(key_pem).map_err(|_| "it is not PEM text".to_owned())?.trim_end_matches('\0');
    let key = RsaPublicKey::from_public_key_pem(pem)
        .map_err(|error| error.to_string())
        .or_else(|first| RsaPublicKey::from_pkcs1_pem(pem).map_err(|_| first))?;
    let masked: Vec<u8> =
        password.iter().chain(&[0]).zip(challenge.iter().cycle()).map(|(byte, mask)| byte ^ mask).collect();
    key.encrypt(&mut OsRng, rsa::Oaep::new::<Sha1>(), &masked).map_err(|error| error.to_string())
}

fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_password_sends_nothing() {
        assert!(native(b"", &[1; SCRAMBLE_BYTES]).is_empty());
        assert!(caching_sha2(b"", &[1; SCRAMBLE_BYTES]).is_empty());
    }

    #[test]
    fn every_plugin_is_found_by_its_name() {
        for (name, plugin) in PLUGINS {
            assert_eq!(Plugin::from_name(name.as_bytes()), Some(plugin));
            assert_eq!(plugin.name(), name);
        }
        assert_eq!(Plugin::from_name(b"auth_gssapi_client"), None);
    }

    #[test]
    fn a_hostile_key_is_refused() {
        for pem in ["", "-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----\n", "\u{0}\u{1}"] {
            assert!(encrypt_with_key(b"secret", &[1; SCRAMBLE_BYTES], pem.as_bytes()).is_err(), "{pem:?}");
        }
    }
}
