-- sysbench.rand, sysbench.cmdline, sysbench.histogram, and the report hooks.
local prelude = ...
local native, settings, ffi = prelude.native, prelude.settings, prelude.ffi

function prelude.rand()
  local rand = {}
  for name, draw in pairs(native.rand) do
    if settings.dialect == "1.1" and name ~= "special" or settings.dialect == "1.0" and name ~= "zipfian" and name ~= "varstring" then
      rand[name] = draw
    end
  end
  -- A whole number of 64 bits has no room in a number of Lua.
  rand.uniform_uint64 = function()
    local high, low = native.rand.two_words()
    return ffi.cast("uint64_t", high) * 4294967296ULL + low
  end
  rand.two_words = nil
  return rand
end

local ARG = {
  ARG_NULL = 0, ARG_BOOL = 1, ARG_INT = 2, ARG_SIZE = 3, ARG_DOUBLE = 4, ARG_STRING = 5, ARG_LIST = 6, ARG_FILE = 7, ARG_MAX = 8,
}

local function kind_of(option)
  if option[3] then return option[3] end
  local default = option[2]
  if type(default) == "boolean" then return ARG.ARG_BOOL end
  if type(default) == "number" then return ARG.ARG_DOUBLE end
  if type(default) == "table" then return ARG.ARG_LIST end
  return ARG.ARG_STRING
end

local forms = {
  [ARG.ARG_BOOL] = "[=on|off]", [ARG.ARG_INT] = "=N", [ARG.ARG_SIZE] = "=SIZE", [ARG.ARG_DOUBLE] = "=N",
  [ARG.ARG_STRING] = "=STRING", [ARG.ARG_LIST] = "=[LIST,...]", [ARG.ARG_FILE] = "=FILENAME",
}

local function shown(default)
  if default == true then return "on" end
  if default == false then return "off" end
  if type(default) == "table" then return table.concat(default, ",") end
  return tostring(default)
end

function prelude.cmdline()
  local cmdline = {
    argv = settings.argv,
    command = settings.command,
    script_path = settings.script,
    commands = {},
    PARALLEL_COMMAND = true,
  }
  for name, number in pairs(ARG) do cmdline[name] = number end
  function cmdline.print_test_options()
    local names, width = {}, 0
    for name, option in pairs(cmdline.options or {}) do
      names[#names + 1] = name
      width = math.max(width, #name + #forms[kind_of(option)])
    end
    table.sort(names)
    for _, name in ipairs(names) do
      local option = cmdline.options[name]
      local left = name .. forms[kind_of(option)]
      local default = option[2] ~= nil and (" [%s]"):format(shown(option[2])) or ""
      native.write(("  --%s%s %s%s\n"):format(left, (" "):rep(width - #left), option[1] or "", default))
    end
    native.write("\n")
  end
  return cmdline
end

local units = { K = 2 ^ 10, M = 2 ^ 20, G = 2 ^ 30, T = 2 ^ 40, P = 2 ^ 50 }
local on = { on = true, ["true"] = true, ["1"] = true, [""] = true }
local off = { off = true, ["false"] = true, ["0"] = true }

local function invalid(name, text) error(("invalid option: --%s=%s"):format(name, text), 0) end

local function convert(name, kind, text)
  if kind == ARG.ARG_BOOL then
    if on[text:lower()] then return true end
    if off[text:lower()] then return false end
    invalid(name, text)
  elseif kind == ARG.ARG_INT or kind == ARG.ARG_SIZE or kind == ARG.ARG_DOUBLE then
    local number, unit = text:match("^([%+%-%.%deExX]+)([KMGTP]?)$")
    local value = tonumber(number)
    if not value or (unit ~= "" and kind == ARG.ARG_DOUBLE) then invalid(name, text) end
    return value * (units[unit] or 1)
  elseif kind == ARG.ARG_LIST then
    local list = {}
    for part in text:gmatch("[^,]+") do list[#list + 1] = part end
    return list
  end
  return text
end

local empty = {
  [ARG.ARG_BOOL] = function() return false end, [ARG.ARG_INT] = function() return 0 end, [ARG.ARG_SIZE] = function() return 0 end,
  [ARG.ARG_DOUBLE] = function() return 0 end, [ARG.ARG_STRING] = function() return "" end, [ARG.ARG_LIST] = function() return {} end,
  [ARG.ARG_FILE] = function() return "" end,
}

-- Gives the script its options: those of sysbench itself, and its own with what was typed. A script that declares none finds what
-- was typed in global variables, as text.
function prelude.fill_options(env)
  local opt, declared = env.sysbench.opt, env.sysbench.cmdline.options
  for name, value in pairs(settings.general) do opt[name] = value end
  local typed = {}
  for name, text in pairs(settings.options) do typed[name] = text end
  for name, option in pairs(declared or {}) do
    local key, kind = name:gsub("-", "_"), kind_of(option)
    local value = option[2]
    if typed[key] ~= nil then
      value = convert(name, kind, typed[key])
      typed[key] = nil
      local validate = option.validate or option[4]
      if validate and not validate(value) then invalid(name, settings.options[key]) end
    elseif value == nil then
      value = empty[kind]()
    elseif kind == ARG.ARG_LIST and type(value) == "string" then
      value = convert(name, kind, value)
    end
    opt[key] = value
  end
  for key, text in pairs(typed) do
    if declared and opt[key] == nil then invalid(key, text) end
    if not declared then rawset(env, key, text) end
    if opt[key] == nil then opt[key] = text end
  end
end

local Histogram = {}
Histogram.__index = Histogram
function Histogram:update(value)
  local at = value <= self.min and 0 or value >= self.max and self.size - 1
    or math.floor((math.log(value) - math.log(self.min)) / self.step + 0.5)
  self.counts[at] = (self.counts[at] or 0) + 1
end
function Histogram:print()
  local most = 0
  for _, count in pairs(self.counts) do most = math.max(most, count) end
  native.write("       value  ------------- distribution ------------- count\n")
  for at = 0, self.size - 1 do
    local count = self.counts[at]
    if count then
      local stars = ("*"):rep(math.floor(count / most * 40 + 0.5))
      native.write(("%12.3f |%-40s %d\n"):format(math.exp(at * self.step + math.log(self.min)), stars, count))
    end
  end
end
prelude.histogram = {
  new = function(size, min, max)
    local step = (math.log(max) - math.log(min)) / (size - 1)
    return setmetatable({ size = size, min = min, max = max, step = step, counts = {} }, Histogram)
  end,
}

-- Scripts assign these to hooks. mydyno has its own reports and calls none of them.
function prelude.reports(sysbench)
  for _, name in ipairs { "report_default", "report_csv", "report_json" } do sysbench[name] = function() end end
end
