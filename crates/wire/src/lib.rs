//! The MySQL protocol, sans I/O, and one small blocking client over it.
