//! Both catalogues hold what the program says, and nothing else.

mod catalogues;
mod prose;
