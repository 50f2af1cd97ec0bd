### Events during a load: what they did to it.

# Variables:
#   $target (Text)
#   $event (Text) - as it was asked for: 30s kill 2
#   $trials (Count) - trials in which it happened
#   $before (Figure) - transactions per second before it
#   $lowest (Figure) - in the worst second after it
#   $after (Figure) - in the end
#   $fell (Word: yes, no) - the worst second was below 90 % of before
#   $silent (Figure?) - s without a transaction, worst; none where there were none
#   $back (Figure?) - s until throughput was back at 90 %, worst; none where it was not back once
#   $returned (Count) - trials in which it was back
event-says = { $target }, { $event }: { $fell ->
    [yes] throughput fell from { $before } to { $lowest } transactions/s{ $silent ->
        [not-given] {""}
       *[other] , with no transaction for { $silent } s
      }{ $back ->
        [not-given] , and { $trials ->
            [1] did not return to 90 %
           *[other] returned to 90 % in { $returned } of { $trials } trials
          }
       *[other] , and was back at 90 % after { $back } s
      }
   *[no] throughput did not fall below 90 % of the { $before } transactions/s before it
  }; in the end it was { $after } transactions/s

event-title = Events during the load

# Variables:
#   $column (Word: target, clients, event, before, lowest, silent, back, after, lasted, errors)
event-column = { $column ->
    [target] target
    [clients] clients
    [event] event
    [before] before, /s
    [lowest] lowest, /s
    [silent] silent, s
    [back] 90 % back after, s
    [after] in the end, /s
    [lasted] lasted, s
   *[errors] errors
  }

# Variables:
#   $event (Text) - what happened: freeze 2 for 5s
#   $end (Word: yes, no) - this is where it was over
event-mark = { $end ->
    [yes] end of { $event }
   *[no] { $event }
  }
