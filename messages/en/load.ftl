### What was offered and what was sustained: open loops, and the quarters of a long run.

# Variables:
#   $offered (Count) - transactions
#   $rate (Figure) - transactions/s
#   $unstarted (Count) - transactions
#   $backlog (Count) - transactions
#   $p50 (Figure) - milliseconds
#   $p99 (Figure) - milliseconds
#   $max (Figure) - milliseconds
#   $timer (Figure) - milliseconds
offered-load = { $offered } transactions were due ({ $rate }/s), { $unstarted } of them never started, backlog up to { $backlog }; start delay p50/p99/max { $p50 }/{ $p99 }/{ $max } ms (timer lateness p99 { $timer } ms)

# Variables:
#   $share (Text) - of the transactions due, in percent
#   $backlog (Count) - transactions
#   $stayed (Word: stayed, shrank) - whether the backlog was as long at the end
overload = the offered rate exceeded the capacity: { $share } of the transactions due never started, and { $stayed ->
    [stayed] response times grow as long as the run lasts
   *[shrank] response times include the wait in a backlog of up to { $backlog }, which remained at the end
  }; lower the rate, or use more clients if the server has capacity left

# Variables:
#   $backlog (Count) - transactions
backlog-worked-off = the offered rate exceeded the capacity for a while: a backlog of up to { $backlog } transactions built up and was completed; response times include the wait in it

# Variables:
#   $first (Figure) - transactions/s
#   $last (Figure) - transactions/s
#   $change (Change)
#   $variation (Tenths) - percent
#   $window (Seconds)
#   $steady (Word: kept, missed, unknown) - clause 5.5 of TPC-C
#   $idle (Seconds?) - without a transaction
#   $longest (Seconds) - without a transaction, at a time
#   $law (Message)
sustained = Throughput { $first }/s in the first quarter, { $last }/s in the last ({ $change } %); it varied by up to { $variation } % within { $window } (less than 2 %: { $steady ->
    [kept] kept
    [missed] not kept
   *[unknown] undetermined, too few transactions
  }); { $idle ->
    [not-given] no second without a transaction
   *[other] { $idle } without a transaction, { $longest } at a time
  }; { $law }

# Variables:
#   $transactions (Count)
#   $change (Change) - of the time per transaction over all of them
#   $low (Change)
#   $high (Change)
#   $misfit (Percent)
#   $kind (Word: grows, declines, level)
growth-law = { $kind ->
    [grows] the time per transaction grows with the transactions done, { $change } % [{ $low } %, { $high } %] over { $transactions } of them (a line through 1/throughput, within { $misfit }): the work grows with the data
    [declines] throughput declines, but not in proportion to the transactions done ({ $change } % [{ $low } %, { $high } %] over { $transactions } of them, within { $misfit })
   *[level] the time per transaction does not grow with the transactions done ({ $change } % [{ $low } %, { $high } %] over { $transactions } of them)
  }

growth-unknown = 1/throughput is undetermined

# Variables:
#   $types (Text) - of transaction, each with its p95 before and after
slower-types = types whose p95 grew most from the first to the last quarter: { $types }

# Variables:
#   $share (Percent) - of the statement time
no-digest = { $share } of the statement time has no digest: this version keeps no digests of statements executed by the prepared-statement protocol; the clients' own times are complete
