//! What a script finds.

use crate::fake::{World, lived, settings};

#[test]
fn a_client_connects_prepares_and_runs_its_events() {
    let (ended, asked, _) = lived(
        r#"
        function thread_init()
           con = sysbench.sql.driver():connect()
           stmt = con:prepare("UPDATE t SET a = ?, b = ?, c = ? WHERE id = ?")
           local t = sysbench.sql.type
           p = { stmt:bind_create(t.INT), stmt:bind_create(t.CHAR, 3), stmt:bind_create(t.DOUBLE), stmt:bind_create(t.BIGINT) }
           stmt:bind_param(unpack(p))
           begin = con:prepare("BEGIN")
        end
        function event(id)
           begin:execute()
           p[1]:set(id) p[2]:set("abcdef") p[3]:set(2) p[4]:set(nil)
           stmt:execute()
           con:query("COMMIT")
        end
        function thread_done()
           stmt:close()
           con:disconnect()
        end"#,
    );
    assert_eq!(ended, Ok(None));
    let event = ["BEGIN", "execute 1 (3, 'abc', 2.0, NULL)", "COMMIT", "done"];
    let first =
        ["connect", "prepare UPDATE t SET a = ?, b = ?, c = ? WHERE id = ?", "prepare BEGIN", "ready"];
    let wanted: Vec<&str> =
        first.into_iter().chain(event).chain(event).chain(["close 1", "disconnect 1"]).collect();
    assert_eq!(asked, wanted);
}

#[test]
fn rows_are_read_with_holes_for_null_and_an_empty_answer_is_nil_and_true() {
    let (ended, _, said) = lived(
        r#"
        function event()
           con = con or sysbench.sql.driver():connect()
           local rs = con:query("SELECT a, b FROM t")
           print(rs.nrows, rs.nfields)
           for i = 1, rs.nrows do
              local row = rs:fetch_row()
              print(row[1], row[2], rs)
           end
           print(rs:fetch_row())
           print(con:query_row("SELECT 1"))
           local none = con:query("INSERT INTO t VALUES (1)")
           print(none == nil, none and "true", tostring(none))
           return 1
        end"#,
    );
    assert_eq!(ended, Ok(None));
    assert_eq!(
        said,
        "2\t2\n7\tnil\t<sql_result>\n\tabc\t<sql_result>\nnil\n7\tnil\ntrue\ttrue\t<sql_result>\n"
    );
}

#[test]
fn clients_share_no_globals_and_every_module_is_their_own() {
    let mut settings =
        settings("require('common') n = (n or 0) + 1 function event() n = n + 1 print(n, common.n) end");
    settings.modules.insert("common".to_owned(), "common = { n = 10 }".to_owned());
    let mut world = World::new(&settings);
    assert_eq!(world.live(), Ok(None));
    world.events = 2;
    assert_eq!(world.live(), Ok(None));
    assert_eq!(world.said(), "2\t10\n3\t10\n2\t10\n3\t10\n");
}

#[test]
fn options_have_the_types_that_the_script_declares() {
    let text = r#"
        sysbench.cmdline.options = {
           text = {"a text", "abc"}, on = {"a switch", false}, size = {"a size", 10, sysbench.cmdline.ARG_SIZE},
           list = {"a list", {"a", "b"}}, ["with-dash"] = {"dashed", 0.5}, none = {"nothing"},
        }
        function event()
           local o = sysbench.opt
           print(o.text, o.on, o.size, table.concat(o.list, "+"), o.with_dash, o.none == "", o.threads)
           return true
        end"#;
    assert_eq!(lived(text).2, "abc\tfalse\t10\ta+b\t0.5\ttrue\t4\n");
    let mut typed = settings(text);
    for (name, value) in [("text", "x y"), ("on", "on"), ("size", "2K"), ("list", "c,d"), ("with_dash", "7")]
    {
        typed.options.insert(name.to_owned(), value.to_owned());
    }
    let mut world = World::new(&typed);
    assert_eq!((world.live(), world.said().as_str()), (Ok(None), "x y\ttrue\t2048\tc+d\t7\ttrue\t4\n"));
    typed.options.insert("unknown".to_owned(), "1".to_owned());
    assert_eq!(World::new(&typed).live(), Err("invalid option: --unknown=1".to_owned()));
    typed.options.remove("unknown");
    typed.options.insert("size".to_owned(), "many".to_owned());
    assert_eq!(World::new(&typed).live(), Err("invalid option: --size=many".to_owned()));
}

#[test]
fn help_lists_the_options() {
    let mut world = World::new(&settings(
        "sysbench.cmdline.options = { b_opt = {'second', true}, a_option = {'first', 10}, c = {'third'} } function event() end",
    ));
    assert_eq!(world.call("help"), Ok(Some("help".to_owned())));
    let wanted = "shop/mine.lua options:\n  --a_option=N     first [10]\n  --b_opt[=on|off] second [on]\n  --c=STRING       third\n\n";
    assert_eq!(world.said(), wanted);
}

#[test]
fn a_script_without_declared_options_finds_them_as_globals() {
    let mut settings = settings("function event() print(rows + 1, type(rows)) return 1 end");
    settings.options.insert("rows".to_owned(), "41".to_owned());
    let mut world = World::new(&settings);
    assert_eq!((world.live(), world.said().as_str()), (Ok(None), "42\tstring\n"));
}

#[test]
fn the_old_interface_connects_by_itself() {
    let (ended, asked, said) = lived(
        r##"
        function event(id)
           db_query("INSERT INTO t VALUES (" .. sb_rand_uniform(5, 5) .. ")")
           db_bulk_insert_init("INSERT INTO u VALUES")
           db_bulk_insert_next("(1)")
           db_bulk_insert_next("(2)")
           db_bulk_insert_done()
           print(thread_id, mysql_table_engine, #sb_rand_str('##@@-'))
           return 1
        end"##,
    );
    assert_eq!(ended, Ok(None));
    assert_eq!(asked, ["ready", "connect", "INSERT INTO t VALUES (5)", "INSERT INTO u VALUES(1),(2)"]);
    assert_eq!(said, "3\tinnodb\t5\n");
}

#[test]
fn commands_are_those_of_the_script() {
    let mut world = World::new(&settings(
        r#"
        sysbench.cmdline.commands = { load = { function() print("loading", sysbench.tid) end, sysbench.cmdline.PARALLEL_COMMAND } }
        function prepare() print("prepare", sysbench.cmdline.command) end
        function event() end"#,
    ));
    assert_eq!(world.call("load"), Ok(Some("load".to_owned())));
    assert_eq!(world.call("prepare"), Ok(Some("prepare".to_owned())));
    assert_eq!(world.call("cleanup"), Ok(None));
    assert_eq!(world.said(), "loading\t0\nprepare\trun\n");
    let commands = world.vm.commands().expect("it begins").resume(script::Reply::Nothing).expect("it ends");
    let script::ScriptRequest::Done(Some(listed)) = commands else { panic!("{commands:?}") };
    assert_eq!(listed, "load parallel\nprepare\nrun");
}

#[test]
fn random_numbers_stay_in_their_range() {
    let (ended, _, said) = lived(
        r#"
        function event()
           local rand = sysbench.rand
           for _ = 1, 1000 do
              for _, name in ipairs { "default", "uniform", "gaussian", "special", "pareto" } do
                 local drawn = rand[name](3, 12)
                 assert(drawn >= 3 and drawn <= 12 and drawn % 1 == 0, name .. drawn)
              end
              local u = rand.uniform_double()
              assert(u >= 0 and u < 1)
           end
           assert(rand.string('ab-##@'):match('^ab%-%d%d%l$'))
           assert(rand.unique() ~= rand.unique())
           print(type(rand.uniform_uint64()), rand.zipfian, rand.varstring)
           return 1
        end"#,
    );
    assert_eq!((ended, said.as_str()), (Ok(None), "cdata\tnil\tnil\n"));
}

#[test]
fn ffi_sleeps_count_and_print_without_stopping_anybody_else() {
    let mut world = World::new(&settings(
        r#"
        ffi.cdef[[int usleep(unsigned int); void sb_counter_inc(int, sb_counter_type);]]
        function event()
           ffi.C.usleep(250000)
           require("ffi").C.sb_counter_inc(sysbench.tid, ffi.C.SB_CNT_ERROR)
           ffi.C.printf("%llu rows\n", 5ULL)
        end"#,
    ));
    assert_eq!(world.live(), Ok(None));
    assert_eq!(world.said(), "5 rows\n5 rows\n");
    assert_eq!(world.asked, ["ready", "sleep 0.25", "done", "sleep 0.25", "done"]);
    assert_eq!(world.vm.take_counts(), script::ScriptCounts { errors: 2, ..Default::default() });
}
