//! Offers load and measures it: workers, reactor, schedules, workloads.
