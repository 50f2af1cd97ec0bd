//! Seeded random streams and key distributions, repeatable across years.
