//! The option file of MySQL Router.

use std::path::Path;

use wire::ServerAddress;

/// Maximum number of clients. Router has a limit, and this one is no lower than what the system allows anyway.
const CONNECTIONS: u32 = 65_535;

/// The inputs of the option file.
pub(super) struct RouterContext<'a> {
    /// Its directory.
    pub dir: &'a Path,
    pub plugin_dir: Option<&'a Path>,
    /// The address on which it listens.
    pub listens: &'a ServerAddress,
    /// Servers that it sends clients to: the first one that answers, or with several each in turns.
    pub destinations: &'a [ServerAddress],
}

/// The option file. The destinations are fixed, so that no metadata of a cluster are needed, and the clients' traffic is
/// passed on unchanged.
pub(super) fn router_conf(context: &RouterContext<'_>) -> String {
    let dir = context.dir.display();
    let mut text = String::from("[DEFAULT]\n");
    if let Some(plugin_dir) = context.plugin_dir {
        text.push_str(&format!("plugin_folder={}\n", plugin_dir.display()));
    }
    // Without a folder it logs to its standard error, which is a file of ours.
    text.push_str(&format!(
        "logging_folder=\nruntime_folder={dir}\ndata_folder={dir}\nmax_total_connections={CONNECTIONS}\n\n\
         [logger]\nlevel=INFO\n\n[routing:mydyno]\nprotocol=classic\n"
    ));
    text.push_str(&match context.listens {
        ServerAddress::Unix(path) => format!("socket={}\n", path.display()),
        ServerAddress::Tcp { host, port } => format!("bind_address={host}\nbind_port={port}\n"),
    });
    let destination = |address: &ServerAddress| match address {
        ServerAddress::Unix(path) => format!("local:{}", path.display()),
        ServerAddress::Tcp { host, port } => format!("{host}:{port}"),
    };
    let destinations: Vec<String> = context.destinations.iter().map(destination).collect();
    let strategy = if destinations.len() > 1 { "round-robin" } else { "first-available" };
    text.push_str(&format!(
        "destinations={}\nrouting_strategy={strategy}\nclient_ssl_mode=PASSTHROUGH\nserver_ssl_mode=AS_CLIENT\n\
         max_connections={CONNECTIONS}\nmax_connect_errors=4294967295\nconnect_timeout=10\nclient_connect_timeout=60\n",
        destinations.join(",")
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_of_a_socket_go_to_a_socket() {
        let socket = |name: &str| ServerAddress::Unix(format!("/h/{name}.sock").into());
        let context = RouterContext {
            dir: Path::new("/h"),
            plugin_dir: Some(Path::new("/p")),
            listens: &socket("router"),
            destinations: &[socket("a")],
        };
        let text = router_conf(&context);
        assert!(
            text.starts_with("[DEFAULT]\nplugin_folder=/p\nlogging_folder=\nruntime_folder=/h\n"),
            "{text}"
        );
        for line in [
            "socket=/h/router.sock",
            "destinations=local:/h/a.sock",
            "routing_strategy=first-available",
            "client_ssl_mode=PASSTHROUGH",
            "max_connections=65535",
        ] {
            assert!(text.lines().any(|one| one == line), "{line}: {text}");
        }
    }

    #[test]
    fn clients_of_several_primaries_go_to_each_in_turns() {
        let port = |port| ServerAddress::Tcp { host: "127.0.0.1".to_owned(), port };
        let context = RouterContext {
            dir: Path::new("/h"),
            plugin_dir: None,
            listens: &port(1),
            destinations: &[port(2), port(3)],
        };
        let text = router_conf(&context);
        for part in [
            "bind_address=127.0.0.1\nbind_port=1\n",
            "destinations=127.0.0.1:2,127.0.0.1:3\nrouting_strategy=round-robin\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(!text.contains("plugin_folder"), "{text}");
    }
}
