//! The list of workloads.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use super::describe::Workload;
use super::imported::ImportedWorkload;
use super::lua::LuaOptions;
use super::statements::StatementsOptions;
use super::sysbench::SysbenchOptions;
use super::tpcc::TpccOptions;

/// A workload as stored in a plan: its options, with the family that defines their meaning. It dereferences to the
/// properties that every workload has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "snake_case")]
pub enum WorkloadSpec {
    /// One of sysbench 1.0's database workloads.
    Sysbench(SysbenchOptions),
    /// TPC-C.
    Tpcc(TpccOptions),
    /// Statements in a file.
    Statements(StatementsOptions),
    /// A script for sysbench.
    Lua(LuaOptions),
    /// A workload run by another tool: it can be shown and compared, not run.
    Imported(ImportedWorkload),
}

/// Evaluates an expression with the options of a [`WorkloadSpec`], whatever their type. A crate that asks something of its
/// own of a workload has a trait for it, implemented by the options, and finds the implementation with
/// `for_workload!(spec, options => options as &dyn Its)`. So this file is the only list of workloads.
#[macro_export]
macro_rules! for_workload {
    ($spec:expr, $options:ident => $body:expr) => {
        match $spec {
            $crate::WorkloadSpec::Sysbench($options) => $body,
            $crate::WorkloadSpec::Tpcc($options) => $body,
            $crate::WorkloadSpec::Statements($options) => $body,
            $crate::WorkloadSpec::Lua($options) => $body,
            $crate::WorkloadSpec::Imported($options) => $body,
        }
    };
}

impl Deref for WorkloadSpec {
    type Target = dyn Workload;

    fn deref(&self) -> &Self::Target {
        for_workload!(self, options => options)
    }
}

impl DerefMut for WorkloadSpec {
    fn deref_mut(&mut self) -> &mut Self::Target {
        for_workload!(self, options => options)
    }
}
