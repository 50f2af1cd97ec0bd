-- Histogram of one of sysbench's key distributions, for the fixtures beside this file. Made with sysbench 1.0.20:
--   for d in uniform gaussian special pareto; do
--     sysbench histogram.lua --rand-type=$d --rand-seed=1 --events=1 --time=0 --verbosity=0 run > $d.txt
--   done
-- Lines "name low high count": draws from name's range that fell into low..high.

local draws = 1000000

local function histogram(name, high, widths)
   local counts = {}
   for i = 1, draws do
      local key = sysbench.rand.default(1, high)
      counts[key] = (counts[key] or 0) + 1
   end
   local low = 1
   while low <= high do
      local width = widths(low)
      local sum = 0
      for key = low, math.min(low + width - 1, high) do
         sum = sum + (counts[key] or 0)
      end
      print(string.format("%s %d %d %d", name, low, math.min(low + width - 1, high), sum))
      low = low + width
   end
end

function event()
   -- single ids around the centre and at the low end, where special and pareto have their structure
   histogram("large", 10000, function(low)
      if low <= 20 or (low > 4940 and low <= 5060) then return 1 end
      return 20
   end)
   histogram("small", 7, function() return 1 end)
   histogram("million", 1000000, function() return 10000 end)
end
