//! Tests of the whole, in `tests/`: what only a real server, the real binary or the whole workspace can answer.
