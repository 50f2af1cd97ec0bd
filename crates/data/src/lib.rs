//! Puts data sets on a server, checks them, removes them.
