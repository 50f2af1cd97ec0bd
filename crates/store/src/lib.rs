//! The results directory: the truth on disk, and its index.
