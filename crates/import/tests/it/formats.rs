//! What is read of the output of other tools, and what is said of what cannot be read.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use import::{Mapping, Measurement, Parsed, Source, UserFacts, distinct, parse};
use model::{How, OptionId};

fn read(file: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn one(text: &str, known: &UserFacts) -> (Parsed, Measurement) {
    let parsed = parse(text, None, known).unwrap();
    assert_eq!(parsed.measured.len(), 1, "{parsed:?}");
    let measured = parsed.measured[0].clone();
    (parsed, measured)
}

fn sysbench(file: &str) -> (Parsed, Measurement) {
    one(&read(file), &UserFacts::default())
}

#[test]
fn sysbench_1_0() {
    let (parsed, m) = sysbench("sysbench-1.0.20-oltp_read_write.log");
    assert_eq!((parsed.tool.as_str(), parsed.version.as_deref()), ("sysbench", Some("1.0.20")));
    assert_eq!((m.threads, m.measured_s, m.failure), (2, 6.0029, None));
    let s = m.stated;
    assert_eq!((s.transactions, s.queries, s.errors), (Some(4294), Some(86029), Some(9)));
    // sysbench divides by a time of more digits than it prints.
    assert!((s.throughput_per_s.unwrap() - 715.25).abs() < 0.1, "{s:?}");
    let r = s.response;
    assert_eq!((r.mean_ns, r.p95_ns, r.max_ns), (Some(2.79e6), Some(5.18e6), Some(17.57e6)));
    assert_eq!((r.p50_ns, r.p99_ns), (None, None), "it did not print them");
    let ends: Vec<f64> = m.intervals.iter().map(|i| i.end_s).collect();
    assert_eq!(ends, [2.0, 4.0, 6.0]);
    let first = &m.intervals[0];
    assert_eq!((first.length_s, first.transactions, first.response.p95_ns), (2.0, 1389, 5_180_000));
    assert_eq!((first.queries.read, first.errors.values().sum::<u64>()), (19524, 5));
}

#[test]
fn the_percentile_is_the_one_that_was_asked_for() {
    let (_, m) = sysbench("sysbench-1.0.20-p99.log");
    assert!(m.stated.response.p99_ns.is_some() && m.stated.response.p95_ns.is_none());
}

#[test]
fn a_log_that_ends_with_fatal_failed() {
    let (_, m) = sysbench("sysbench-1.0.20-failed.log");
    assert!(m.failure.unwrap().starts_with("unable to connect to MySQL server"));
    assert_eq!(m.stated.throughput_per_s, None);
}

#[test]
fn sysbench_0_5() {
    let (parsed, m) = sysbench("sysbench-0.5.log");
    assert_eq!((parsed.version.as_deref(), m.threads, m.measured_s), (Some("0.5"), 16, 20.0));
    assert_eq!((m.stated.throughput_per_s, m.stated.queries), (Some(1000.0), Some(400_000)));
    assert_eq!((m.stated.response.mean_ns, m.stated.response.p95_ns), (Some(15.99e6), Some(24e6)));
    assert_eq!(m.intervals.len(), 2);
    let last = &m.intervals[1];
    assert_eq!((last.transactions, last.response.p95_ns, last.errors[&0]), (10_100, 23_900_000, 1));
}

#[test]
fn sysbench_1_1() {
    let (parsed, m) = sysbench("sysbench-1.1.log");
    assert_eq!((parsed.version.as_deref(), m.threads, m.measured_s), (Some("1.1.0-a1b2c3d"), 8, 2.0));
    assert_eq!((m.stated.throughput_per_s, m.stated.response.p99_ns), (Some(505.0), Some(30.26e6)));
    // The lines hold p99, which an interval has no place for; it is not passed off as p95.
    assert!(m.intervals.iter().all(|i| i.response.count == 0));
}

#[test]
fn several_logs_in_one_file_are_several_measurements() {
    let both = format!("+ sysbench run\n{}{}", read("sysbench-0.5.log"), read("sysbench-1.1.log"));
    let parsed = parse(&both, None, &UserFacts::default()).unwrap();
    assert_eq!(parsed.measured.iter().map(|m| m.threads).collect::<Vec<_>>(), [16, 8]);
}

#[test]
fn what_prepares_and_cleans_up_is_no_measurement() {
    let around = |what: &str| format!("sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n\n{what}\n\n");
    let (before, after) = (around("Creating table 'sbtest1'..."), around("Dropping table 'sbtest1'..."));
    let run = read("sysbench-1.0.20-oltp_read_write.log");
    let (_, m) = one(&format!("{before}{run}{after}"), &UserFacts::default());
    assert_eq!((m.threads, m.measured_s), (2, 6.0029));
    let problem = parse(&before, None, &UserFacts::default()).unwrap_err();
    assert!(problem.what.contains("`run`"), "{problem}");
}

#[test]
fn several_reports_of_tpcc_in_one_file_are_repeats() {
    let known = UserFacts { threads: Some(32), ..UserFacts::default() };
    let gotpc = read("go-tpc.log");
    let without_tpmc: String =
        gotpc.lines().filter(|line| !line.starts_with("tpmC")).map(|line| format!("{line}\n")).collect();
    for text in [&gotpc, &without_tpmc] {
        let parsed = parse(&text.repeat(2), None, &known).unwrap();
        let rates: Vec<_> = parsed.measured.iter().map(|m| m.stated.throughput_per_s).collect();
        assert_eq!(rates, [Some(200.0), Some(200.0)]);
        let source = Source { file: "a.log".to_owned(), target: None, workload: None, parsed };
        let once = distinct(vec![source]).remove(0).parsed;
        assert_eq!(once.measured.len(), 1, "the same figures twice are one run");
        assert!(
            once.notes.iter().any(|note| note.contains("given twice and counted once")),
            "{:?}",
            once.notes
        );
    }
    let first = read("benchmarksql.log");
    let second = first.replace("27000.5", "28000.5").replace("terminals=20", "terminals=40");
    let parsed = parse(&format!("{first}{second}"), None, &UserFacts::default()).unwrap();
    let seen: Vec<_> = parsed.measured.iter().map(|m| (m.threads, m.stated.tpmc)).collect();
    assert_eq!(seen, [(20, Some(27000.5)), (40, Some(28000.5))]);
}

#[test]
fn go_tpc() {
    let known = UserFacts { threads: Some(32), ..UserFacts::default() };
    let (parsed, m) = one(&read("go-tpc.log"), &known);
    assert_eq!((parsed.tool.as_str(), m.threads, m.measured_s), ("go-tpc", 32, 60.0));
    let s = m.stated;
    assert_eq!((s.transactions, s.errors, s.tpmc), (Some(12_000), Some(12), Some(5400.0)));
    assert_eq!((s.throughput_per_s, s.response.p95_ns), (Some(200.0), None));
    assert!((s.response.mean_ns.unwrap() / 1e6 - 190_800.0 / 12_000.0).abs() < 1e-9);
}

/// Written by go-tpc itself, in each of its forms.
#[test]
fn go_tpc_in_every_form() {
    let known = UserFacts { threads: Some(2), ..UserFacts::default() };
    for (form, tpmc, transactions, errors, p95_ms) in [
        ("plain", 12_566.5, 5_657, 2, 10.0),
        ("table", 12_640.2, 5_593, 1, 10.5),
        ("json", 13_644.1, 5_982, 1, 9.4),
    ] {
        let (_, m) = one(&read(&format!("go-tpc-{form}.log")), &known);
        let s = &m.stated;
        assert_eq!(
            (s.tpmc, s.transactions, s.errors),
            (Some(tpmc), Some(transactions), Some(errors)),
            "{form}"
        );
        let names: Vec<&str> = s.types.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["New-Order", "Payment", "Order-Status", "Delivery", "Stock-Level"], "{form}");
        let new_order = &s.types[0];
        assert_eq!(new_order.response.p95_ns, Some(p95_ms * 1e6), "{form}");
        let sum: u64 = s.types.iter().map(|one| one.transactions).sum();
        assert_eq!(sum, transactions);
        // Percentiles of types cannot be brought together, the longest can.
        assert_eq!(s.response.p95_ns, None);
        assert!(s.response.max_ns >= new_order.response.max_ns);
    }
}

#[test]
fn an_offered_rate_is_kept_and_makes_another_workload() {
    let log = read("sysbench-1.0.20-oltp_read_write.log");
    let rated =
        log.replace("Number of threads: 2\n", "Number of threads: 2\nTarget transaction rate: 300/sec\n");
    let (parsed, m) = one(&rated, &UserFacts::default());
    assert_eq!(m.stated.rate_per_s, Some(300.0));
    let (closed, _) = one(&log, &UserFacts::default());
    let source = |parsed| Source { file: "x".to_owned(), target: None, workload: None, parsed };
    let sources = distinct(vec![source(parsed), source(closed)]);
    let plan = import::plan("both", &sources, std::time::SystemTime::UNIX_EPOCH);
    let cells: Vec<&str> = plan.trials.iter().map(|one| one.cell.workload.as_str()).collect();
    assert_eq!(cells, ["imported, 300/s offered", "imported"], "an open loop is no repeat of a closed one");
}

/// A log is cut wherever a disk was full or a terminal closed.
#[test]
fn a_log_that_is_cut_within_the_report_says_what_is_missing() {
    for file in ["sysbench-1.0.20-oltp_read_write.log", "sysbench-0.5.log", "sysbench-1.1.log"] {
        let whole = read(file);
        for (before, missing) in
            [("min:", "before the latencies"), ("Threads fairness:", "before \"Threads fairness\"")]
        {
            let cut = &whole[..whole.find(before).unwrap()];
            let problem = parse(cut, None, &UserFacts::default()).unwrap_err();
            assert!(problem.what.contains("it was cut"), "{file}: {problem}");
            assert!(problem.what.contains(missing) || before == "min:", "{file}: {problem}");
        }
    }
}

#[test]
fn fields_may_have_anything_between_them() {
    let known = UserFacts {
        mapping: Some(Mapping::parse("threads=n,throughput=tps,target=name").unwrap()),
        ..UserFacts::default()
    };
    for text in [
        "name,n,tps\n\"a \"\"b\"\", c\",4,100.5\n",
        "name;n;tps\na \"b\", c;4;100.5\n",
        "name\tn\ttps\na \"b\", c\t4\t100.5\n",
        "name | n | tps\na \"b\", c | 4 | 100.5\n",
        "| name | n | tps |\n|---|---:|---:|\n| a \"b\", c | 4 | 100.5 |\n",
    ] {
        let (_, m) = one(text, &known);
        let seen = (m.target.as_deref(), m.threads, m.stated.throughput_per_s);
        assert_eq!(seen, (Some("a \"b\", c"), 4, Some(100.5)), "{text}");
    }
}

/// The raw figures below a published comparison, with one of its tables in it twice.
#[test]
fn an_article_is_read_as_it_stands() {
    let parsed = parse(&read("article.txt"), None, &UserFacts::default()).unwrap();
    let of = |label: &str| -> Vec<&Measurement> {
        parsed.measured.iter().filter(|m| m.target.as_deref() == Some(label)).collect()
    };
    let table: Parsed =
        parse(&read("oci_sysbench_oltp_read_write.csv"), None, &UserFacts::default()).unwrap();
    for label in ["ha-same-zone", "ha-cross-zone", "standalone"] {
        let found = of(label);
        assert_eq!(found.len(), 11, "{label}: {parsed:?}");
        let mut digest = table.measured.iter().filter(|m| m.target.as_deref() == Some(label));
        for m in found {
            let same = digest.next().unwrap();
            assert_eq!((m.threads, &m.stated, &m.failure), (same.threads, &same.stated, &same.failure));
        }
    }
    assert!(parsed.measured[0].instance["ins_code"].starts_with("MySQL.VM.Standard"));
    assert!(parsed.notes.iter().any(|note| note.contains("in the text twice")), "{:?}", parsed.notes);
}

#[test]
fn benchmarksql() {
    let (parsed, m) = one(&read("benchmarksql.log"), &UserFacts::default());
    assert_eq!((parsed.tool.as_str(), parsed.version.as_deref()), ("BenchmarkSQL", Some("5.0")));
    assert_eq!((m.threads, m.measured_s), (20, 120.0));
    let s = m.stated;
    assert_eq!((s.tpmc, s.transactions), (Some(27000.5), Some(120_002)));
    assert!((s.throughput_per_s.unwrap() - 60001.0 / 60.0).abs() < 1e-9);
}

#[test]
fn a_table_is_read_as_it_is_said() {
    let text =
        "\u{feff}server,az,clients,tps,p95,note\n\"a, b\",1,4,100,7.5,x\n\"a, b\",,4,120,,x\nc,1,8,0,,y\n";
    let map = "threads=clients,throughput=tps,p95_ms=p95,target=server+az,where=note:x";
    let known = UserFacts { mapping: Some(Mapping::parse(map).unwrap()), ..UserFacts::default() };
    let parsed = parse(text, None, &known).unwrap();
    let seen: Vec<_> = parsed
        .measured
        .iter()
        .map(|m| {
            (m.target.as_deref().unwrap(), m.threads, m.stated.throughput_per_s, m.stated.response.p95_ns)
        })
        .collect();
    assert_eq!(seen, [("a, b az=1", 4, Some(100.0), Some(7.5e6)), ("a, b no az", 4, Some(120.0), None)]);
    let known = UserFacts {
        mapping: Some(Mapping::parse("threads=clients,throughput=tps,repeat=az").unwrap()),
        ..UserFacts::default()
    };
    let parsed = parse(text, None, &known).unwrap();
    let failed = parsed.measured.iter().find(|m| m.threads == 8).unwrap();
    assert!(failed.failure.is_some(), "zeros are no measurement");
}

#[test]
fn what_cannot_be_read_is_said_with_its_line() {
    let known =
        |threads, map: Option<&str>| UserFacts { threads, mapping: map.map(|m| Mapping::parse(m).unwrap()) };
    let table = Some("threads=n,throughput=tps");
    let cut = read("sysbench-0.5.log").split("OLTP test").next().unwrap().to_owned();
    let broken = read("sysbench-1.1.log").replace("[ 2s ]", "[ xs ]");
    for (text, known, line, part) in [
        ("hello\n", known(None, None), None, "neither output of sysbench"),
        ("a,b\n1,2\n", known(None, None), None, "none that is known"),
        ("n,tps\n1,2\n2\n", known(None, table), Some(3), "1 fields, the header has 2"),
        ("n,tps\n1,x\n", known(None, table), Some(2), "'x' in column tps is not a number"),
        ("n,tps\n0,1\n", known(None, table), Some(2), "no number of clients"),
        ("n,qps\n1,1\n", known(None, table), None, "there is no column 'tps'"),
        ("n,tps\n", known(None, table), None, "no measurement"),
        ("n,tps\n\"1,1\n", known(None, table), Some(2), "a quote is not closed"),
        (&cut, known(None, None), Some(12), "it was cut"),
        (&broken, known(None, None), Some(14), "interval line"),
        (&read("go-tpc.log"), known(None, None), None, "how many threads it ran"),
        ("Measured tpmC (NewOrders) = 5\n", known(Some(1), None), None, "Measured tpmTOTAL"),
    ] {
        let problem = parse(text, None, &known).unwrap_err();
        assert_eq!(problem.line, line, "{problem}");
        assert!(problem.what.contains(part), "{problem}");
        let expected = match part {
            "none that is known" => Some(OptionId::Map),
            "how many threads it ran" => Some(OptionId::Threads),
            _ => None,
        };
        let advised = problem.advice.map(|advice| advice.how);
        assert_eq!(advised, expected.map(|option| How::Set(option, None)), "{}", problem.what);
    }
    for (map, part) in [
        ("threads=n", "it needs throughput"),
        ("throughput=tps", "it needs threads"),
        ("speed=tps", "no known key"),
        ("threads", "is not KEY=COLUMN"),
        ("threads=a,threads=b", "said twice"),
        ("where=a", "where=COLUMN:VALUE"),
    ] {
        assert!(Mapping::parse(map).unwrap_err().to_string().contains(part), "{map}");
    }
}
