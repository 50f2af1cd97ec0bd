//! View model and renderers.
