//! Judgement: summaries, comparisons, caveats.
