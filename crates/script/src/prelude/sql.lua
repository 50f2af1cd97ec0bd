-- sysbench.sql: drivers, connections, statements, results. A connection is a number here; the generator has the socket.
local prelude = ...
local native, settings, ffi = prelude.native, prelude.settings, prelude.ffi
local yield, ask, answer = prelude.yield, prelude.ask, prelude.native.answers
local byte, sub, fmod = string.byte, string.sub, math.fmod

local types = {
  NONE = 0, TINYINT = 1, SMALLINT = 2, INT = 3, BIGINT = 4, FLOAT = 5, DOUBLE = 6, TIME = 7, DATE = 8, DATETIME = 9,
  TIMESTAMP = 10, CHAR = 11, VARCHAR = 12,
}
local codes = { NONE = 0, IGNORABLE = 1, FATAL = 2 }
local BULK_BYTES = 512 * 1024

local Result = {}
Result.__index = Result
Result.__tostring = function() return "<sql_result>" end

-- A statement without rows returns NULL of a C type, which equals nil and yet is true: scripts depend on either.
ffi.cdef [[ typedef struct { int unused_; } mydyno_sql_result; ]]
local null_methods = { nrows = 0, nfields = 0 }
function null_methods.free()
  native.log("ALERT: attempt to free an invalid result set")
  error("db_free_results() failed", 2)
end
function null_methods.fetch_row()
  native.log("ALERT: attempt to fetch row from an invalid result set")
  return nil
end
ffi.metatype("mydyno_sql_result", { __index = null_methods, __tostring = Result.__tostring })
local NULL = ffi.cast("mydyno_sql_result *", 0)

local function read_length(data, at)
  local first = byte(data, at)
  if first < 251 then return first, at + 1 end
  if first == 252 then
    local a, b = byte(data, at + 1, at + 2)
    return a + b * 256, at + 3
  end
  if first == 253 then
    local a, b, c = byte(data, at + 1, at + 3)
    return a + b * 256 + c * 65536, at + 4
  end
  local n = 0
  for i = 8, 1, -1 do n = n * 256 + byte(data, at + i) end
  return n, at + 9
end

-- The next row as an array of strings, with a hole for NULL; nil after the last.
function Result:fetch_row()
  if self.row >= self.nrows or not self.data then return nil end
  self.row = self.row + 1
  local data, at, row = self.data, self.at, {}
  for i = 1, self.nfields do
    if byte(data, at) == 251 then
      at = at + 1
    else
      local n
      n, at = read_length(data, at)
      row[i] = sub(data, at, at + n - 1)
      at = at + n
    end
  end
  self.at = at
  return row
end

function Result:free()
  if self.freed then return null_methods.free() end
  self.freed, self.data = true, nil
end

local Connection = {}
Connection.__index = Connection
Connection.__tostring = function() return "<sql_connection>" end

local function check_open(con, level)
  if not con.number then
    native.log("ALERT: attempt to use an already closed connection")
    error("SQL API error", level + 1)
  end
end

-- What follows an error of the server: the hook of the script may forgive it, then the list of ignored errors.
local function failed(con, query, errno, state, message, what)
  con.sql_errno, con.sql_state, con.sql_errmsg = errno, state, message
  local err = { connection = con, query = query, sql_errno = errno, sql_state = state, sql_errmsg = message }
  local hook = con.sysbench.hooks.sql_error_ignorable
  if (hook and hook(err)) or settings.ignores_all or settings.ignored[errno] then
    con.error = codes.IGNORABLE
    err.errcode = con.sysbench.error.RESTART_EVENT
    error(err, 0)
  end
  con.error = codes.FATAL
  native.log(what)
  -- The calls that led here were tail calls: the one above is the script's own line.
  error(("SQL error, errno = %d, state = '%s': %s"):format(errno, state, message), 2)
end

-- A connection that is lost is opened again, if losses are ignored: the event begins anew.
local function lost(con, query, errno, state, message)
  if settings.reconnects or settings.ignores_all or settings.ignored[errno] then
    native.count(5, 1)
    repeat until con:reconnect_once()
    error({ connection = con, query = query, sql_errno = errno, sql_state = state, sql_errmsg = message,
      errcode = con.sysbench.error.RESTART_EVENT }, 0)
  end
  failed(con, query, errno, state, message, ("FATAL: the connection was lost: %s"):format(message))
end

local function result_of(con, query, call, kind, a, b, c)
  con.error = codes.NONE
  if kind == answer.ok then return NULL end
  if kind == answer.rows then
    -- As in sysbench a connection has one result: the next statement replaces it.
    local result = con.result
    result.nrows, result.nfields, result.data, result.at, result.row, result.freed = a, b, c, 1, 0, false
    return result
  end
  if kind == answer.lost then return lost(con, query, a, b, c) end
  return failed(con, query, a, b, c, ("FATAL: %s returned error %d (%s) for query '%s'"):format(call, a, c, query))
end

function Connection:query(text)
  check_open(self, 2)
  return result_of(self, text, "mysql_drv_query()", yield(ask.query, self.number, text))
end

function Connection:query_row(text)
  local result = self:query(text)
  if result == nil then return nil end
  local row = result:fetch_row()
  if row == nil then return nil end
  return unpack(row, 1, result.nfields)
end

function Connection:disconnect()
  if not self.number then
    native.log("ALERT: attempt to close an already closed connection")
    return
  end
  yield(ask.disconnect, self.number)
  self.number = nil
end

function Connection:reconnect_once()
  if self.number then yield(ask.disconnect, self.number) end
  local ok, number = yield(ask.connect)
  if not ok then
    yield(ask.sleep, 0.001)
    return false
  end
  self.number, self.generation = number, self.generation + 1
  return true
end

function Connection:reconnect()
  check_open(self, 2)
  native.count(5, 1)
  repeat until self:reconnect_once()
  return true
end

function Connection:check_error(result, text)
  if result ~= nil or self.error == codes.NONE then return result end
  error(("SQL error, errno = %d, state = '%s': %s (%s)"):format(self.sql_errno, self.sql_state, self.sql_errmsg, tostring(text)), 2)
end

-- The results of a procedure after its first are not kept.
function Connection:more_results() return false end
function Connection:next_result() return NULL end

function Connection:bulk_insert_init(text)
  check_open(self, 2)
  self.bulk = { head = text, rows = {}, bytes = #text }
  return 0
end

local function flush(con)
  local bulk = con.bulk
  if #bulk.rows == 0 then return end
  local text = bulk.head .. table.concat(bulk.rows, ",")
  bulk.rows, bulk.bytes = {}, #bulk.head
  con:query(text)
end

function Connection:bulk_insert_next(values)
  check_open(self, 2)
  local bulk = self.bulk
  if not bulk then
    native.log("ALERT: attempt to call bulk_insert_next() before bulk_insert_init()")
    error("db_bulk_insert_next() failed", 2)
  end
  -- sysbench keeps a byte for the end of its string.
  if #bulk.rows > 0 and bulk.bytes + #values + 2 > BULK_BYTES then flush(self) end
  bulk.bytes = bulk.bytes + #values + (#bulk.rows > 0 and 1 or 0)
  bulk.rows[#bulk.rows + 1] = values
end

function Connection:bulk_insert_done()
  check_open(self, 2)
  if self.bulk then flush(self) end
  self.bulk = nil
  return 0
end

local Param = {}
Param.__index = Param
Param.__tostring = function() return "<sql_param>" end

function Param:set(value)
  if value == nil then
    self.value = nil
  elseif self.is_whole then
    value = tonumber(value)
    self.value = value - fmod(value, 1)
  elseif self.is_text then
    value = tostring(value)
    self.value = self.length and sub(value, 1, self.length) or value
  else
    self.value = tonumber(value)
  end
end

function Param:set_rand_str(format) self:set(native.rand.string(format)) end

local Statement = {}
Statement.__index = Statement
Statement.__tostring = function() return "<sql_statement>" end

local whole = { [1] = true, [2] = true, [3] = true, [4] = true }
local textual = { [7] = true, [8] = true, [9] = true, [10] = true, [11] = true, [12] = true }

function Statement:bind_create(kind, length)
  if not whole[kind] and not (kind == 5 or kind == 6 or kind == 11 or kind == 12) then
    error("Unsupported argument type: " .. tostring(kind), 2)
  end
  return setmetatable({ is_whole = whole[kind], is_text = textual[kind], length = length, is_real = kind == 5 or kind == 6 }, Param)
end

function Statement:bind_param(...)
  local n = select("#", ...)
  if n == 0 then return nil end
  self.params, self.count = { ... }, n
end

local function prepare(con, text)
  if settings.prepares then
    local kind, a, b, c = yield(ask.prepare, con.number, text)
    if kind == answer.ok then return a end
    if kind == answer.lost then return lost(con, text, a, b, c) end
    if kind == answer.error and a ~= 1295 then
      native.log("FATAL: mysql_stmt_prepare() failed")
      native.log(("FATAL: MySQL error: %d \"%s\""):format(a, c))
      con.sql_errno, con.sql_state, con.sql_errmsg = a, b, c
      error("SQL API error", 3)
    end
  end
end

-- A statement that is not prepared is sent as text, its values in quotes unless they are numbers.
local function as_text(statement)
  local at = 0
  return (statement.text:gsub("%?", function()
    at = at + 1
    local param = statement.params and statement.params[at]
    local value = param and param.value
    if value == nil then return "NULL" end
    if param.is_text then return "'" .. value .. "'" end
    return param.is_whole and ("%d"):format(value) or tostring(value)
  end))
end

function Statement:execute()
  local con = self.con
  check_open(con, 2)
  if self.generation ~= con.generation then
    self.number, self.generation = prepare(con, self.text), con.generation
  end
  if not self.number then return con:query(as_text(self)) end
  local params, values = self.params, nil
  if self.count == 1 then
    local one = params[1]
    return result_of(con, "<prepared statement>", "mysql_stmt_execute()",
      yield(ask.execute, con.number, self.number, one.is_real and 1 or 0, one.value))
  end
  local reals = 0
  values = {}
  for i = 1, self.count do
    values[i] = params[i].value
    if params[i].is_real then reals = reals + 2 ^ (i - 1) end
  end
  return result_of(con, "<prepared statement>", "mysql_stmt_execute()",
    yield(ask.execute, con.number, self.number, reals, unpack(values, 1, self.count)))
end

function Statement:next_result() return NULL end

function Statement:close()
  if self.number and self.con.number and self.generation == self.con.generation then
    yield(ask.close, self.con.number, self.number)
  end
  self.number = nil
  return 0
end

function Connection:prepare(text)
  check_open(self, 2)
  local number = prepare(self, text)
  return setmetatable({ con = self, text = text, number = number, generation = self.generation, count = 0 }, Statement)
end

local Driver = {}
Driver.__index = Driver
function Driver:name() return "mysql" end
function Driver:connect()
  local ok, number, errno, message = yield(ask.connect)
  if not ok then
    native.log(("FATAL: unable to connect to MySQL server on %s, aborting..."):format(settings.server))
    native.log(("FATAL: error %d: %s"):format(errno, message))
    error("connection creation failed", 2)
  end
  return setmetatable({ number = number, generation = 0, sysbench = self.sysbench, sql_errno = 0, sql_state = "",
    sql_errmsg = "", error = codes.NONE,
    result = setmetatable({ nrows = 0, nfields = 0, data = nil, at = 1, row = 0, freed = true }, Result) }, Connection)
end

function prelude.sql(sysbench)
  return {
    type = types,
    error = codes,
    driver = function(name)
      name = name or sysbench.opt.db_driver or "mysql"
      if name ~= "mysql" then
        native.log(("FATAL: invalid database driver name: '%s'"):format(name))
        error("failed to initialize the DB driver", 2)
      end
      return setmetatable({ sysbench = sysbench }, Driver)
    end,
  }
end
