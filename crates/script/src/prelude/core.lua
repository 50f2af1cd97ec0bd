-- The world of a script: what sysbench's interpreter offers, made anew for each client, so that clients share no globals.
-- A client is a coroutine. What it cannot do in Lua it asks for: coroutine.yield(request, ...) returns the answer.
local native, settings = ...
local ffi = require("ffi")
local yield = coroutine.yield

ffi.cdef [[
typedef enum {
  SB_CNT_OTHER, SB_CNT_READ, SB_CNT_WRITE, SB_CNT_EVENT, SB_CNT_ERROR, SB_CNT_RECONNECT, SB_CNT_BYTES_READ,
  SB_CNT_BYTES_WRITTEN, SB_CNT_MAX
} sb_counter_type;
]]

local ask = native.requests
local prelude = { native = native, settings = settings, ffi = ffi, yield = yield, ask = ask }

-- What a script finds in ffi.C: our own functions first, so that a sleep keeps no other client waiting.
local own = {
  SB_CNT_OTHER = 0, SB_CNT_READ = 1, SB_CNT_WRITE = 2, SB_CNT_EVENT = 3, SB_CNT_ERROR = 4, SB_CNT_RECONNECT = 5,
  SB_CNT_BYTES_READ = 6, SB_CNT_BYTES_WRITTEN = 7,
}
function own.usleep(microseconds) yield(ask.sleep, tonumber(microseconds) * 1e-6) return 0 end
function own.sleep(seconds) yield(ask.sleep, tonumber(seconds)) return 0 end
function own.sb_counter_inc(_, kind) native.count(tonumber(kind), 1) end
function own.sb_counter_add(_, kind, n) native.count(tonumber(kind), tonumber(n)) end
function own.sb_more_events() return yield(ask.next_event) end
function own.sb_event_start() end
function own.sb_event_stop() yield(ask.event_done) end
function own.printf(format, ...)
  local values = { ... }
  for i = 1, select("#", ...) do
    if type(values[i]) == "cdata" then values[i] = tostring(values[i]):gsub("U?LL$", "") end
  end
  native.write((format:gsub("%%ll[ud]", "%%s"):format(unpack(values, 1, select("#", ...)))))
end
for _, name in ipairs { "default", "uniform", "gaussian", "special", "pareto", "zipfian" } do
  own["sb_rand_" .. name] = native.rand[name]
end
own.sb_rand_uniform_double = native.rand.uniform_double
own.sb_rand_unique = native.rand.unique

local declared = {}
local ffi_of_scripts = setmetatable({
  C = setmetatable({}, {
    __index = function(_, name)
      local value = own[name]
      if value ~= nil then return value end
      return ffi.C[name]
    end,
  }),
  -- Every client declares what the script declares.
  cdef = function(text)
    if not declared[text] then
      ffi.cdef(text)
      declared[text] = true
    end
  end,
}, { __index = ffi })

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("*a")
  file:close()
  return text
end

local function without_shebang(text) return (text:gsub("^#[^\n]*", "")) end

local function compile(text, name, env)
  local chunk, why = loadstring(without_shebang(text), name)
  if not chunk then error(why, 0) end
  return setfenv(chunk, env)
end

-- A module is looked for among those that came with the script, then along package.path.
local function find_module(name, path)
  local text = settings.modules[name]
  if text then return text, "@" .. name .. ".lua" end
  local as_path = name:gsub("%.", "/")
  for pattern in path:gmatch("[^;]+") do
    local file = pattern:gsub("%?", as_path)
    text = read(file)
    if text then return text, "@" .. file end
  end
end

local function make_require(env, loaded)
  return function(name)
    if loaded[name] ~= nil then return loaded[name] end
    local preload = env.package.preload[name]
    local value
    if preload then
      value = preload(name)
    else
      local text, chunk_name = find_module(name, env.package.path)
      if not text then return require(name) end
      value = compile(text, chunk_name, env)(name)
    end
    if value ~= nil then loaded[name] = value end
    if loaded[name] == nil then loaded[name] = true end
    return loaded[name]
  end
end

local libraries = { "string", "table", "math", "io", "os", "coroutine", "debug", "bit", "jit" }

function prelude.world(tid)
  local env = setmetatable({}, { __index = _G })
  env._G = env
  env.print = function(...)
    local parts = {}
    for i = 1, select("#", ...) do parts[i] = tostring((select(i, ...))) end
    native.write(table.concat(parts, "\t") .. "\n")
  end
  local loaded = { _G = env, ffi = ffi_of_scripts }
  for _, name in ipairs(libraries) do
    env[name] = _G[name]
    loaded[name] = _G[name]
  end
  env.ffi = ffi_of_scripts
  env.package = { path = settings.path, cpath = package.cpath, loaded = loaded, preload = {}, loaders = package.loaders }
  env.require = make_require(env, loaded)
  env.dofile = function(path)
    local text = settings.modules[path] or read(path)
    if not text then error("cannot open " .. tostring(path), 2) end
    return compile(text, "@" .. path, env)()
  end
  env.sysbench = prelude.sysbench(tid, env)
  for name, module in pairs { rand = "rand", sql = "sql", cmdline = "cmdline", histogram = "histogram" } do
    loaded["sysbench." .. name] = env.sysbench[module]
  end
  loaded.sysbench = env.sysbench
  env.thread_run = prelude.thread_run(env)
  if settings.dialect == "1.0" then prelude.legacy(tid, env) end
  return env
end

-- The table `sysbench`.
function prelude.sysbench(tid, env)
  local sysbench = {
    tid = tid,
    error = { NONE = 0, RESTART_EVENT = 1 },
    version = settings.version,
    version_string = settings.version_string,
    cmdline = prelude.cmdline(),
    opt = {},
    hooks = {},
    rand = prelude.rand(),
    histogram = prelude.histogram,
  }
  sysbench.sql = prelude.sql(sysbench)
  prelude.reports(sysbench)
  return sysbench
end

-- Events until there are no more. An event that asks to be restarted is the same event still; one that returns something ends
-- the client, uncounted.
function prelude.thread_run(env)
  return function(tid)
    local more = yield(ask.next_event)
    while more do
      local done, result
      repeat
        done, result = pcall(env.event, tid)
        if not done then
          if type(result) ~= "table" or result.errcode ~= env.sysbench.error.RESTART_EVENT then error(result, 0) end
          local hook = env.sysbench.hooks.before_restart_event
          if hook then hook(result) end
          yield(ask.restart, result.sql_errno or 0, result.sql_state or "", result.sql_errmsg or "", result.query or "")
        end
      until done
      if result then return end
      -- Done with this one, and on to the next.
      more = yield(ask.next_event)
    end
  end
end

local function describe(why)
  if type(why) == "table" and why.sql_errno then
    return ("SQL error, errno = %d, state = '%s': %s"):format(why.sql_errno, why.sql_state or "", why.sql_errmsg or "")
  end
  if type(why) == "table" then return "the script raised a table: error({...}) without errcode = sysbench.error.RESTART_EVENT" end
  return tostring(why)
end

-- Runs what a coroutine is for. It ends with "done", or with "failed" and the reason.
local function guarded(body)
  return function()
    local ok, why = xpcall(body, describe)
    if ok then return ask.done, why end
    return ask.failed, why
  end
end

local function loaded_script(tid)
  local env = prelude.world(tid)
  setfenv(0, env)
  compile(settings.text, "@" .. settings.script, env)()
  prelude.fill_options(env)
  return env
end

-- The life of a client.
function prelude.client(tid)
  return guarded(function()
    local env = loaded_script(tid)
    if type(env.event) ~= "function" then
      error("cannot find the event() function in " .. settings.script, 0)
    end
    if env.thread_init then env.thread_init(tid) end
    yield(ask.ready)
    env.thread_run(tid)
    if env.thread_done then env.thread_done(tid) end
  end)
end

-- A function of the script, called once: init, done, prepare, cleanup, help, and commands of its own.
-- Answers whether there is such a function.
function prelude.call(tid, name)
  return guarded(function()
    local env = loaded_script(tid)
    local command = env.sysbench.cmdline.commands and env.sysbench.cmdline.commands[name]
    local action = command and command[1] or rawget(env, name)
    if type(action) ~= "function" then
      if name == "help" then
        native.write(settings.script .. " options:\n")
        env.sysbench.cmdline.print_test_options()
        return "help"
      end
      return nil
    end
    if action(tid) == false and command then error("the command " .. name .. " failed", 0) end
    return name
  end)
end

-- What the script says of itself, without running anything else: its commands, and what it uses.
function prelude.describe()
  return guarded(function()
    local env = loaded_script(0)
    local commands = {}
    for name, command in pairs(env.sysbench.cmdline.commands or {}) do
      commands[#commands + 1] = name .. (command[2] and " parallel" or "")
    end
    for _, name in ipairs { "prepare", "cleanup", "help" } do
      if type(rawget(env, name)) == "function" then commands[#commands + 1] = name end
    end
    if type(rawget(env, "event")) == "function" then commands[#commands + 1] = "run" end
    table.sort(commands)
    return table.concat(commands, "\n")
  end)
end

return prelude
