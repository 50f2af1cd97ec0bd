//! Rules about encryption, what the server accepts, and what it does with it.

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Runs, Severity};
use crate::Words;
use crate::text::count;
use crate::words::words;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "sql_mode",
        only: Only::Both,
        manual: Manual::Server("sql_mode"),
        why: (
            "values that do not fit are truncated, with a warning that nobody reads",
            "放不下的值会被截断，只留一条没人看的警告",
        ),
        action: ("add STRICT_TRANS_TABLES to sql_mode", "在 sql_mode 中加入 STRICT_TRANS_TABLES"),
        cost: (
            "statements that used to pass fail: try it in a test first",
            "原来能通过的语句会失败：先在测试环境试",
        ),
        check: |p| {
            let mode = p.text("sql_mode")?;
            let strict = mode.contains("STRICT_TRANS_TABLES") || mode.contains("STRICT_ALL_TABLES");
            let evidence = match mode.is_empty() {
                true => words!("sql_mode is empty", "sql_mode 为空"),
                false => p.say("sql_mode").into(),
            };
            (!strict).then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "tls_off",
        only: Only::Mariadb(FIRST, LAST),
        manual: Manual::Tls("have_ssl"),
        why: ("credentials and data cross the network unencrypted", "口令验证信息和数据在网络上明文传输"),
        action: (
            "ssl_cert and ssl_key in my.cnf, and restart",
            "在 my.cnf 中设置 ssl_cert 和 ssl_key 并重启",
        ),
        cost: (
            "a few percent of throughput for short statements; more for each new connection",
            "短语句的吞吐损失百分之几；新建连接的代价更大",
        ),
        check: |p| {
            let off = p.text("have_ssl").is_some_and(|value| value != "YES");
            off.then(|| Found::new(exposure(p), p.say("have_ssl"))).flatten()
        },
    },
    Rule {
        id: "tls_off",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::Tls("tls_version"),
        why: (
            "data cross the network unencrypted, and caching_sha2_password needs an RSA key instead",
            "数据在网络上明文传输，caching_sha2_password 只能改用 RSA 密钥",
        ),
        action: (
            "ssl_cert and ssl_key in my.cnf, or let the server make them (auto_generate_certs)",
            "在 my.cnf 中设置 ssl_cert 和 ssl_key，或让服务器自动生成（auto_generate_certs）",
        ),
        cost: (
            "a few percent of throughput for short statements; more for each new connection",
            "短语句的吞吐损失百分之几；新建连接的代价更大",
        ),
        check: |p| {
            let disabled = p.text("have_ssl").is_some_and(|value| value != "YES");
            let empty = p.text("tls_version").is_some_and(str::is_empty);
            (disabled || empty).then(|| Found::new(exposure(p), words!("no TLS", "未启用 TLS"))).flatten()
        },
    },
    Rule {
        id: "tls_old",
        only: Only::Both,
        manual: Manual::Tls("tls_version"),
        why: (
            "TLS 1.0 and 1.1 are broken, and most regulations forbid them",
            "TLS 1.0 和 1.1 已不安全，多数规范禁止使用",
        ),
        action: ("tls_version = TLSv1.2,TLSv1.3", "tls_version = TLSv1.2,TLSv1.3"),
        cost: (
            "clients from before 2016 can no longer connect with TLS",
            "2016 年以前的客户端不能再用 TLS 连接",
        ),
        check: |p| {
            let old = p
                .text("tls_version")?
                .split(',')
                .any(|version| ["TLSv1", "TLSv1.0", "TLSv1.1"].contains(&version.trim()));
            let used = p.text("have_ssl").is_none_or(|value| value == "YES");
            (old && used).then(|| Found::new(Severity::Low, p.say("tls_version"))).flatten()
        },
    },
    Rule {
        id: "plain_connections",
        only: Only::Both,
        manual: Manual::Server("require_secure_transport"),
        why: ("clients that do not ask for TLS are served without it", "没有要求 TLS 的客户端以明文连接"),
        action: ("SET GLOBAL require_secure_transport = ON;", "SET GLOBAL require_secure_transport = ON;"),
        cost: ("clients without TLS are refused", "拒绝不用 TLS 的客户端"),
        check: |p| {
            let used = p.text("have_ssl").is_none_or(|value| value == "YES");
            let open = used && p.is_off("require_secure_transport") && exposure(p) == Severity::Medium;
            open.then(|| Found::new(Severity::Low, p.say("require_secure_transport"))).flatten()
        },
    },
    Rule {
        id: "local_infile",
        only: Only::Both,
        manual: Manual::Server("local_infile"),
        why: ("a compromised server can read files of its clients", "被攻陷的服务器可以读取客户端的文件"),
        action: (
            "SET GLOBAL local_infile = OFF;  while no data are being loaded",
            "不导入数据时 SET GLOBAL local_infile = OFF;",
        ),
        cost: (
            "LOAD DATA LOCAL no longer works; mydyno loads its tables fastest with it",
            "LOAD DATA LOCAL 不能再用，而 mydyno 用它导入最快",
        ),
        check: |p| {
            // A sandbox is given it, so that its tables load fast.
            let is_found = p.is_on("local_infile") && p.runs == Runs::User;
            is_found.then(|| Found::new(Severity::Low, p.say("local_infile"))).flatten()
        },
    },
    Rule {
        id: "secure_file_priv",
        only: Only::Both,
        manual: Manual::Server("secure_file_priv"),
        why: (
            "accounts with the FILE privilege can read and write files wherever the server may",
            "有 FILE 权限的账号可以读写服务器有权访问的任何文件",
        ),
        action: (
            "secure_file_priv = NULL (MariaDB: a directory) in my.cnf, and restart",
            "在 my.cnf 中设置 secure_file_priv = NULL（MariaDB：一个目录）并重启",
        ),
        cost: (
            "SELECT ... INTO OUTFILE works only there, or not at all",
            "SELECT ... INTO OUTFILE 只能写到该目录，或不能再用",
        ),
        check: |p| {
            let open = p.text("secure_file_priv").is_some_and(str::is_empty);
            let said = words!("secure_file_priv is empty", "secure_file_priv 为空");
            open.then(|| Found::new(Severity::Low, said)).flatten()
        },
    },
    Rule {
        id: "no_password",
        only: Only::Both,
        manual: Manual::Passwords,
        why: (
            "anybody who reaches the server can use these accounts, with all their privileges",
            "任何能连到服务器的人都可以使用这些账号及其全部权限",
        ),
        action: (
            "ALTER USER ... IDENTIFIED BY '...';  or ACCOUNT LOCK, or DROP USER",
            "ALTER USER ... IDENTIFIED BY '...';，或 ACCOUNT LOCK，或 DROP USER",
        ),
        cost: ("programs that use them need the password", "使用这些账号的程序需要配置口令"),
        check: no_password,
    },
    Rule {
        id: "character_set",
        only: Only::Both,
        manual: Manual::Server("character_set_server"),
        why: (
            "new tables cannot hold all characters, and joins between character sets do not use indexes",
            "新表存不下所有字符；不同字符集之间的连接用不上索引",
        ),
        action: (
            "character_set_server = utf8mb4 in my.cnf; convert old tables",
            "在 my.cnf 中设置 character_set_server = utf8mb4；转换旧表",
        ),
        cost: (
            "up to four bytes per character; a conversion copies the table",
            "每个字符最多四字节；转换要复制整张表",
        ),
        check: |p| {
            let set = p.text("character_set_server")?;
            let narrow = ["latin1", "utf8", "utf8mb3"].contains(&set);
            narrow.then(|| Found::new(Severity::Low, p.say("character_set_server"))).flatten()
        },
    },
    Rule {
        id: "name_resolve",
        only: Only::Both,
        manual: Manual::Server("skip_name_resolve"),
        why: (
            "new connections wait for DNS, for seconds when it does not answer",
            "新连接要等 DNS 解析，DNS 不应答时要等好几秒",
        ),
        action: (
            "skip_name_resolve = ON in my.cnf, and restart",
            "在 my.cnf 中设置 skip_name_resolve = ON 并重启",
        ),
        cost: ("accounts must name addresses instead of host names", "账号的主机部分必须写 IP 地址"),
        check: |p| {
            let resolves = p.is_off("skip_name_resolve") && exposure(p) == Severity::Medium;
            resolves.then(|| Found::new(Severity::Low, p.say("skip_name_resolve"))).flatten()
        },
    },
    Rule {
        id: "old_passwords",
        only: Only::Mysql(FIRST, (8, 0, 0)),
        manual: Manual::Server("old_passwords"),
        why: ("passwords are stored as broken hashes", "口令以已被破解的散列方式保存"),
        action: (
            "SET GLOBAL old_passwords = 0;  and set the passwords again",
            "SET GLOBAL old_passwords = 0;，并重新设置口令",
        ),
        cost: ("clients from before 2003 cannot connect", "2003 年以前的客户端无法连接"),
        check: |p| {
            let old = p.number("old_passwords").is_some_and(|value| value == 1);
            old.then(|| Found::new(Severity::Medium, p.say("old_passwords"))).flatten()
        },
    },
];

/// Accounts that anybody may use. One that only its own machine can reach counts where others can reach the server, for then
/// the machine has users who are not its administrators.
fn no_password(p: &Patient<'_>) -> Option<Found> {
    let accounts = p.seen.accounts.as_ref().filter(|accounts| accounts.without_password > 0)?;
    let is_open = exposure(p) == Severity::Medium;
    let severity = match (accounts.from_elsewhere > 0, is_open) {
        (true, true) => Severity::Medium,
        (true, false) | (false, true) => Severity::Low,
        (false, false) => return None,
    };
    let (all, names) = (count(accounts.without_password), accounts.names.join(", "));
    let said = words!("accounts without a password: {all}", "没有口令的账号：{all} 个");
    let more = accounts.without_password > accounts.names.len() as u64;
    let named = match more {
        true => words!(" ({names}, ...)", "（{names} 等）"),
        false => words!(" ({names})", "（{names}）"),
    };
    let elsewhere = count(accounts.from_elsewhere);
    let from = match (accounts.from_elsewhere > 0, is_open) {
        (true, true) => {
            words!("; {elsewhere} can connect from other hosts", "；其中 {elsewhere} 个可从其他主机连接")
        }
        (true, false) => words!(
            "; {elsewhere} may connect from other hosts, but the server listens on this one only",
            "；其中 {elsewhere} 个允许从其他主机连接，但服务器只监听本机"
        ),
        (false, _) => words!("; only from the server's own machine", "；仅限从服务器本机连接"),
    };
    Found::new(severity, Words::join(&[said, named, from], "", ""))
}

/// A server that only its own machine can reach has less to fear.
fn exposure(p: &Patient<'_>) -> Severity {
    let address = p.text("bind_address").unwrap_or_default();
    let inside = address.starts_with("127.") || ["localhost", "::1"].contains(&address);
    if inside || p.is_on("skip_networking") { Severity::Low } else { Severity::Medium }
}
