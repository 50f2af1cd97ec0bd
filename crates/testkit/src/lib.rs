//! A fake MySQL server and fixtures, for tests only.
