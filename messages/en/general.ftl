### Pieces that messages of several themes have in common.

# Variables:
#   $clauses (Clauses)
clauses = { $clauses }

# Variables:
#   $parts (Parts)
parts = { $parts }

# Variables:
#   $clients (Count)
n-clients = { $clients } { $clients ->
    [one] client
   *[other] clients
  }

# Variables:
#   $clients (Count)
at-clients = at { n-clients }

# Variables:
#   $all (List) - numbers of clients
at-several = at { $all } clients

# Variables:
#   $low (Count)
#   $high (Count)
from-to-clients = from { $low } to { $high } clients

# Variables:
#   $high (Count)
up-to-clients = up to { $high } clients

# Variables:
#   $low (Count)
from-clients-on = from { $low } clients on

# Variables:
#   $trials (Count)
in-all-trials = { $trials ->
    [one] {""}
   *[other] , in all { $trials } trials
  }
