//! What follows when something fails.

use crate::fake::{World, lived, settings};

const UPDATE: &str = r#"
    function thread_init() con = sysbench.sql.driver():connect() end
    function event() con:query("UPDATE t") end
"#;

fn with_errors(text: &str, errors: &[u16]) -> (Result<Option<String>, String>, Vec<String>, String) {
    let mut world = World::new(&settings(text));
    world.errors.insert("UPDATE t".to_owned(), errors.to_vec());
    world.events = 1;
    let ended = world.live();
    let said = world.said();
    (ended, world.asked, said)
}

#[test]
fn an_ignored_error_begins_the_event_anew() {
    let (ended, asked, _) = with_errors(UPDATE, &[1213, 1205]);
    assert_eq!(ended, Ok(None));
    let wanted = ["connect", "ready", "UPDATE t", "restart after 1205 of UPDATE t", "UPDATE t"];
    assert_eq!(asked[..5], wanted);
    assert_eq!(asked[5..], ["restart after 1213 of UPDATE t", "UPDATE t", "done"]);
}

#[test]
fn the_hook_before_a_restart_sees_the_error_and_may_roll_back() {
    let text = format!(
        "{UPDATE} function sysbench.hooks.before_restart_event(e) con:query('ROLLBACK') print(e.sql_errno, e.sql_state) end"
    );
    let (ended, asked, said) = with_errors(&text, &[1213]);
    assert_eq!((ended, said.as_str()), (Ok(None), "1213\t40001\n"));
    assert_eq!(asked[2..5], ["UPDATE t", "ROLLBACK", "restart after 1213 of UPDATE t"]);
}

#[test]
fn a_fatal_error_ends_the_client_and_says_with_what() {
    let (ended, _, said) = with_errors(UPDATE, &[1062]);
    let why = ended.expect_err("it is fatal");
    assert_eq!(why, "shop/mine.lua:3: SQL error, errno = 1062, state = '40001': refused");
    assert_eq!(said, "FATAL: mysql_drv_query() returned error 1062 (refused) for query 'UPDATE t'\n");
}

#[test]
fn the_hook_decides_which_errors_are_ignored() {
    let text =
        format!("{UPDATE} function sysbench.hooks.sql_error_ignorable(e) return e.sql_errno == 1062 end");
    let (ended, asked, _) = with_errors(&text, &[1062]);
    assert_eq!(ended, Ok(None));
    assert_eq!(asked[3], "restart after 1062 of UPDATE t");
}

#[test]
fn a_lost_connection_is_opened_again_and_its_statements_are_prepared_again() {
    let text = r#"
        function thread_init()
           con = sysbench.sql.driver():connect()
           stmt = con:prepare("SELECT 1")
        end
        function event() con:query("UPDATE t") stmt:execute() end
    "#;
    let mut settings = settings(text);
    settings.reconnects = true;
    let mut world = World::new(&settings);
    world.errors.insert("UPDATE t".to_owned(), vec![2013]);
    world.events = 1;
    assert_eq!(world.live(), Ok(None));
    let wanted = [
        "connect",
        "prepare SELECT 1",
        "ready",
        "UPDATE t",
        "disconnect 1",
        "connect",
        "restart after 2013 of UPDATE t",
        "UPDATE t",
        "prepare SELECT 1",
        "execute 2 (NULL)",
        "done",
    ];
    assert_eq!(world.asked, wanted);
    assert_eq!(world.vm.take_counts().reconnects, 1);
}

#[test]
fn a_script_may_catch_errors_itself_and_ask_for_a_restart() {
    let text = r#"
        function thread_init() con = sysbench.sql.driver():connect() end
        function event()
           local ok, why = pcall(con.query, con, "UPDATE t")
           if not ok then
              print(type(why), con.sql_errno)
              error({ errcode = sysbench.error.RESTART_EVENT })
           end
        end
    "#;
    let (ended, asked, said) = with_errors(text, &[1062]);
    assert_eq!(ended, Ok(None));
    assert!(said.ends_with("string\t1062\n"), "{said}");
    assert_eq!(asked[3..], ["restart after 0 of ", "UPDATE t", "done"]);
}

#[test]
fn mistakes_in_a_script_are_named_with_their_line() {
    let why = |text: &str| lived(text).0.expect_err(text);
    assert_eq!(why("foo\n"), "shop/mine.lua:2: '=' expected near '<eof>'");
    assert_eq!(why("function foo() end"), "cannot find the event() function in shop/mine.lua");
    assert_eq!(
        why("function event()\n nothing() end"),
        "shop/mine.lua:2: attempt to call global 'nothing' (a nil value)"
    );
    assert_eq!(why("function thread_init() error('no') end function event() end"), "shop/mine.lua:1: no");
    assert!(why("require('nowhere') function event() end").contains("module 'nowhere' not found"));
}

#[test]
fn an_event_that_returns_something_ends_its_client() {
    for value in ["0", "1", "true", "{}"] {
        let (ended, asked, _) = lived(&format!("function event() return {value} end"));
        assert_eq!((ended, asked), (Ok(None), vec!["ready".to_owned()]), "{value}");
    }
    for value in ["false", "nil"] {
        let (_, asked, _) = lived(&format!("function event() return {value} end"));
        assert_eq!(asked, ["ready", "done", "done"], "{value}");
    }
}

#[test]
fn an_unknown_driver_and_a_closed_connection_are_refused() {
    let (ended, _, said) = lived("function event() sysbench.sql.driver('pgsql') end");
    assert_eq!(ended, Err("shop/mine.lua:1: failed to initialize the DB driver".to_owned()));
    assert_eq!(said, "FATAL: invalid database driver name: 'pgsql'\n");
    let closed = "function event() local con = sysbench.sql.driver():connect() con:disconnect() con:query('SELECT 1') end";
    let (ended, _, said) = lived(closed);
    assert_eq!(ended, Err("shop/mine.lua:1: SQL API error".to_owned()));
    assert_eq!(said, "ALERT: attempt to use an already closed connection\n");
}
