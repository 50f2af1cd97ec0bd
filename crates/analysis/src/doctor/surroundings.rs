//! Rules about the version and where it runs.

use super::{Found, Manual, Only, Rule, Severity, release};
use crate::words::words;

pub(super) const RULES: &[Rule] = &[Rule {
    id: "end_of_life",
    only: Only::Both,
    manual: Manual::Releases,
    why: (
        "security holes are no longer fixed, and what is measured on it will not run for long",
        "安全漏洞不再修复，在它上面测得的结果也用不了多久",
    ),
    action: (
        "plan the move to a long-term series (MySQL 8.4 or 9.7, MariaDB 10.11, 11.4 or 11.8)",
        "计划迁移到长期支持版本（MySQL 8.4 或 9.7，MariaDB 10.11、11.4 或 11.8）",
    ),
    cost: (
        "a test of the application; changed statements and defaults",
        "需要测试应用；部分语句和默认值有变化",
    ),
    check: |p| {
        let series = release::of(p.seen.flavour, p.version())?;
        let (today, end) = (p.today?, series.extended.or(series.end)?);
        (today > end)
            .then(|| {
                let (major, minor) = series.number;
                let said = words!(
                    "series {major}.{minor} got its last fixes on {end}",
                    "{major}.{minor} 系列的最后修复日期是 {end}"
                );
                Found::new(Severity::Medium, said)
            })
            .flatten()
    },
}];
