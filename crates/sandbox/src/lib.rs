//! Servers of our own: installs, starts, watches and stops them.
