-- The interface of sysbench 0.5, which 1.0 still has: global functions on one connection.
local prelude = ...
local native, settings = prelude.native, prelude.settings

function prelude.legacy(tid, env)
  local sysbench = env.sysbench
  local con
  -- Scripts of 0.5 found a connection without asking for one.
  local function connection()
    con = con or sysbench.sql.driver():connect()
    return con
  end
  env.DB_ERROR_NONE, env.DB_ERROR_RESTART_TRANSACTION, env.DB_ERROR_FAILED = 0, 1, 2
  env.thread_id = tid
  env.test = settings.script
  env.mysql_table_engine = settings.options.mysql_table_engine or "innodb"
  env.myisam_max_rows = 1000000
  function env.db_connect() connection() end
  function env.db_disconnect()
    if con then con:disconnect() end
    con = nil
  end
  function env.db_query(text)
    connection():query(text)
    return 0
  end
  function env.db_bulk_insert_init(text) return connection():bulk_insert_init(text) end
  function env.db_bulk_insert_next(values) return connection():bulk_insert_next(values) end
  function env.db_bulk_insert_done() return connection():bulk_insert_done() end
  function env.db_prepare(text) return connection():prepare(text) end
  function env.db_bind_param(statement, values)
    local params = {}
    for i, value in ipairs(values) do
      local kind = type(value) == "number" and sysbench.sql.type.BIGINT or sysbench.sql.type.VARCHAR
      params[i] = statement:bind_create(kind)
    end
    statement:bind_param(unpack(params))
    statement.bound = values
    return 0
  end
  function env.db_bind_result() return 0 end
  function env.db_execute(statement)
    for i, value in ipairs(statement.bound or {}) do statement.params[i]:set(value) end
    return statement:execute()
  end
  function env.db_store_results(result) return result end
  function env.db_free_results() return 0 end
  function env.db_close(statement) return statement:close() end
  for new, old in pairs {
    sb_rand = "default", sb_rand_uniform = "uniform", sb_rand_gaussian = "gaussian", sb_rand_special = "special",
    sb_rand_str = "string", sb_rand_uniq = "unique",
  } do
    env[new] = native.rand[old]
  end
  function env.sb_rnd() return native.rand.uniform(0, 2147483647) end
end
