//! Readings of server and host.
