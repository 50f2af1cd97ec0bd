//! Values that must not reach a recording.

/// Shown in place of a secret.
const MASK: &str = "***";

/// Words in a variable's name that indicate a secret value.
const SECRET_WORDS: [&str; 11] = [
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "secret",
    "token",
    "auth",
    "credential",
    "credentials",
    "filekey",
    "privatekey",
];

/// Endings of names that only speak about passwords or tokens: sizes, policies, places.
const HARMLESS_ENDINGS: [&str; 15] = [
    "_size",
    "_lifetime",
    "_history",
    "_interval",
    "_length",
    "_rounds",
    "_format",
    "_users",
    "_keys",
    "_path",
    "_current",
    "_errors",
    "_validation",
    "_expired_password",
    "_storage_format",
];

/// Harmless whole names that the words would catch.
const HARMLESS: [&str; 2] = ["secure_auth", "old_passwords"];

/// Statements in a value (`init_connect`) that hold a password.
const SECRET_PHRASES: [&str; 3] = ["identified by", "set password", "password="];

/// The value in recordable form. An empty value stays empty: that there is no password is no secret.
pub fn masked(name: &str, value: String) -> String {
    if value.is_empty() || !(is_secret_name(name) || holds_secret(&value)) { value } else { MASK.to_owned() }
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let harmless =
        HARMLESS.contains(&name.as_str()) || HARMLESS_ENDINGS.iter().any(|end| name.ends_with(end));
    !harmless && name.split(['_', '.', '-']).any(|word| SECRET_WORDS.contains(&word))
}

fn holds_secret(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    SECRET_PHRASES.iter().any(|phrase| value.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_and_settings_about_secrets_are_not() {
        for name in [
            "report_password",
            "wsrep_sst_auth",
            "keyring_hashicorp_secret_id",
            "hashicorp_key_management_token",
            "authentication_ldap_simple_bind_root_pwd",
            "file_key_management_filekey",
            "group_replication_recovery_password",
        ] {
            assert_eq!(masked(name, "12345".to_owned()), "***", "{name}");
            assert_eq!(masked(name, String::new()), "", "{name}");
        }
        for name in [
            "default_password_lifetime",
            "password_history",
            "innodb_ft_max_token_size",
            "caching_sha2_password_digest_rounds",
            "caching_sha2_password_private_key_path",
            "authentication_policy",
            "secure_auth",
            "key_buffer_size",
            "ssl_key",
            "disconnect_on_expired_password",
            "strict_password_validation",
        ] {
            assert_eq!(masked(name, "5".to_owned()), "5", "{name}");
        }
    }

    #[test]
    fn a_password_inside_a_statement_is_masked() {
        assert_eq!(masked("init_connect", "SET PASSWORD = 'x'".to_owned()), "***");
        assert_eq!(masked("init_connect", "SET autocommit=1".to_owned()), "SET autocommit=1");
        let plugin = "caching_sha2_password".to_owned();
        assert_eq!(masked("default_authentication_plugin", plugin.clone()), plugin);
    }
}
