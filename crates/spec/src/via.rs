//! Checks whether there can be MySQL Router between clients and servers.

use model::{Topology, Via};

use crate::target::TargetSpec;
use crate::values::Wrong;

impl TargetSpec {
    /// Checks that clients can go through MySQL Router.
    pub(crate) fn check_via(&self, sandboxes: usize) -> Result<(), Wrong> {
        let refuse = |why: &str, hint: &str| Err(Wrong::of(why).hint(hint));
        if self.arrangement.via == Via::Direct {
            Ok(())
        } else if sandboxes == 0 {
            Err(no_sandbox_behind())
        } else if self.topology == Topology::Independent {
            refuse(
                "via=router does not go with instances: independent servers hold different data",
                "leave one of the two out",
            )
        } else if self.arrangement.reads_on_replicas {
            refuse(
                "via=router does not go with reads=replicas: the router does not know which transactions only read",
                "leave one of the two out",
            )
        } else if self.arrangement.has_distant_clients() {
            refuse(
                "via=router does not go with client_delay: the router stands beside the servers, outside the simulated network",
                "leave one of the two out",
            )
        } else {
            Ok(())
        }
    }
}

/// The error for a router in front of servers that already run.
pub(crate) fn no_sandbox_behind() -> Wrong {
    Wrong::of("via=router is for sandboxes: mydyno starts no router in front of servers that run already")
        .hint("give the address of your own router as the target")
}

#[cfg(test)]
mod tests {
    use model::Arrangement;

    use super::*;
    use crate::target::ServerSpec;

    #[test]
    fn a_router_stands_before_sandboxes_of_mysql() {
        let via = |text: &str| crate::word::target(text).map(|target| target.arrangement.via);
        for text in [
            "sandbox:mysql?via=router",
            "sandbox:mysql?topology=async&via=router",
            "sandbox:mysql?topology=group&multi_primary=on&via=router",
            "sandbox:mysql?topology=group&link_delay=1ms&via=router",
        ] {
            assert_eq!(via(text), Ok(Via::Router), "{text}");
        }
        assert_eq!(via("sandbox:mariadb?via=direct"), Ok(Via::Direct));
        for (text, why) in [
            ("sandbox:mariadb?via=router", "MySQL Router does not support MariaDB"),
            ("sandbox:mysql?instances=2&via=router", "does not go with instances"),
            ("sandbox:mysql?topology=async&reads=replicas&via=router", "does not go with reads=replicas"),
            ("sandbox:mysql?client_delay=1ms&via=router", "does not go with client_delay"),
            ("mysql://root@db1/test?via=router", "via=router is for sandboxes"),
            ("sandbox:mysql?via=haproxy", "via is how clients reach the servers, and not 'haproxy'"),
        ] {
            let refused = via(text).expect_err(text).why;
            assert!(refused.contains(why), "{text}: {refused}");
        }
        let outside = TargetSpec {
            arrangement: Arrangement { via: Via::Router, ..Arrangement::default() },
            ..TargetSpec::from(ServerSpec { host: Some("db1".to_owned()), ..ServerSpec::default() })
        };
        let refused = outside.arranged(None, &[]).expect_err("runs already").why;
        assert!(refused.contains("via=router is for sandboxes"), "{refused}");
    }
}
