//! Plans and conducts experiments.
