### What happened within the trials of a cell: stalls, steady state, trends, change points, periods, jitter, growth.

# Variables:
#   $repeat (Count?) - which trial, if there are several
#   $all (Seconds) - without a transaction
#   $stretches (Count)
#   $longest (Seconds)
#   $from (Seconds) - where the longest begins
#   $after (Seconds?) - until it recovered
#   $recovery (Word: never, unknown) - where it did not
#   $having (Count) - trials with a stall
#   $trials (Count)
stalled = { $repeat ->
    [not-given] {""}
   *[other] repeat { $repeat }:{" "}
  }no transaction completed in { $all }, { $stretches ->
    [one] from { $from } on
   *[other] in { $stretches } stretches, the longest { $longest } from { $from } on
  }{ $after ->
    [not-given] { $recovery ->
        [never] ; throughput never recovered to 90 %
       *[unknown] {""}
      }
   *[other] ; throughput recovered to 90 % within { $after }
  }{ $trials ->
    [one] {""}
   *[other] {" "}({ $having ->
        [one] 1 of { $trials } trials
       *[other] { $having } of { $trials } trials, this is the worst
      })
  }

# Variables:
#   $cut (Seconds) - how long the beginning is
#   $share (Percent)
#   $direction (Word: higher, lower)
#   $trials (Count)
not-settled = throughput in { $trials ->
    [one] the first
   *[other] up to the first
  } { $cut } of the window is { $share } { $direction ->
    [higher] higher
   *[lower] lower
  } than in the rest: not settled{ in-all-trials }

# Variables:
#   $direction (Word: rises, falls)
#   $change (Change)
#   $low (Change)
#   $high (Change)
#   $trials (Count)
steady-trend = throughput { $direction ->
    [rises] rises
   *[falls] falls
  } steadily, { $trials ->
    [one] {""}
   *[other] at most{" "}
  }by { $change } % [{ $low }, { $high }] over the window{ in-all-trials }

# Variables:
#   $repeat (Count?) - which trial, if there are several
#   $changes (Parts)
#   $more (Count) - smaller changes
level-changes = { $repeat ->
    [not-given] {""}
   *[other] repeat { $repeat }:{" "}
  }{ $changes }{ $more ->
    [0] {""}
    [one] , and 1 smaller change
   *[other] , and { $more } smaller changes
  }

# Variables:
#   $direction (Word: rose, fell)
#   $before (Figure) - a second
#   $after (Figure) - a second
#   $at (Whole) - seconds
#   $ratio (Text) - with its interval
level-change = throughput { $direction ->
    [rose] rose
   *[fell] fell
  } from { $before }/s to { $after }/s at { $at } s ({ $ratio })

# Variables:
#   $direction (Word: rose, fell)
#   $before (Figure) - a second
#   $after (Figure) - a second
#   $span (Word: one, range) - at the same second in all trials, or not
#   $least (Whole) - seconds
#   $most (Whole) - seconds
#   $ratio (Text) - with its interval
#   $trials (Count)
level-change-together = throughput { $direction ->
    [rose] rose
   *[fell] fell
  } from { $before }/s to { $after }/s at { $span ->
    [one] { $least } s
   *[range] { $least } to { $most } s
  } ({ $ratio }){ in-all-trials }

# Variables:
#   $direction (Word: dips, rises)
#   $every (Seconds)
#   $share (Percent)
#   $trials (Count)
periodic = throughput { $direction ->
    [dips] dips
   *[rises] rises
  } every { $every }, by { $share }{ in-all-trials }

# Variables:
#   $share (Percent)
#   $window (Seconds)
#   $trials (Count)
jitter = throughput varies by up to { $share } within { $window }, significantly{ in-all-trials }

# Variables:
#   $share (Percent)
#   $transactions (Count)
#   $trials (Count)
growth = a transaction takes { $trials ->
    [one] {""}
   *[other] up to{" "}
  }{ $share } longer after { $transactions } transactions: the work grows with the data{ in-all-trials }

# Variables:
#   $length (Seconds) - of the longest trial
#   $questions (Enumeration)
too-short = Trials of { $length } are too short to judge: { $questions }

# Variables:
#   $question (Message)
#   $needs (Whole) - seconds
needs-seconds = { $question } ({ $needs } s)

# Variables:
#   $question (Word: stalls, steady-state, trend, change-points, periods, jitter, growth)
question-over-time = { $question ->
    [stalls] stalls
    [steady-state] steady state
    [trend] trend
    [change-points] change points
    [periods] periods
    [jitter] jitter
   *[growth] growth with the data
  }
