//! The computations of each authentication plugin from password and challenge; the only file that touches cryptography.
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
    /// Its predecessor. A MySQL server may also pretend it for accounts that do not exist, to hide that they do not.
    Sha256,
    /// The default before both, and MariaDB's still.
    Native,
    /// MariaDB's client_ed25519.
    Ed25519,
    /// The password in clear text; over TLS only.
    Clear,
}

/// Names as servers spell them: the one list of supported plugins.
const PLUGINS: [(&str, Plugin); 5] = [
    ("caching_sha2_password", Plugin::CachingSha2),
    ("sha256_password", Plugin::Sha256),
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

/// caching_sha2_password (full) and sha256_password without TLS: the password with its final zero, xored with the challenge, under the
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

    /// The example of mysql_common's and go-sql-driver's tests.
    #[test]
    fn answers_are_those_of_other_drivers() {
        let challenge = b"NR3HP:qIYa_9=db?Sd{`";
        let challenge: &[u8; SCRAMBLE_BYTES] = challenge.as_slice().try_into().unwrap();
        let password = b"G!ider27";
        assert_eq!(
            native(password, challenge),
            *b"\x09\xcf\xf8\x85\x5e\x9e\x70\x53\x40\xff\x22\x70\xd8\xfb\x9f\xad\xba\x90\x6b\x70"
        );
        assert_eq!(
            caching_sha2(password, challenge),
            [
                0x4f, 0x97, 0xbb, 0xfd, 0x20, 0x24, 0x01, 0xc4, 0x2a, 0x69, 0xde, 0xaa, 0xe5, 0x3b, 0xda,
                0x07, 0x7e, 0xd7, 0x57, 0x85, 0x63, 0xc1, 0xa8, 0x0e, 0xb8, 0x16, 0xc8, 0x21, 0x19, 0xb6,
                0x8d, 0x2e,
            ]
        );
    }

    /// The public key is MariaDB's ed25519_password('secret'), ZIgUREUg5PVgQ6LskhXmO+eZLS0nC8be6HPjYWR4YJY.
    #[test]
    fn mariadb_would_accept_the_signature() {
        let public = &[
            0x64, 0x88, 0x14, 0x44, 0x45, 0x20, 0xe4, 0xf5, 0x60, 0x43, 0xa2, 0xec, 0x92, 0x15, 0xe6, 0x3b,
            0xe7, 0x99, 0x2d, 0x2d, 0x27, 0x0b, 0xc6, 0xde, 0xe8, 0x73, 0xe3, 0x61, 0x64, 0x78, 0x60, 0x96,
        ];
        let challenge = [7; 32];
        let signature: [u8; 64] = ed25519(b"secret", &challenge).try_into().unwrap();
        let key = ed25519_dalek::VerifyingKey::from_bytes(public).unwrap();
        key.verify_strict(&challenge, &ed25519_dalek::Signature::from_bytes(&signature)).unwrap();
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
