#!/usr/bin/env sysbench
require("names")

sysbench.cmdline.options = {
   items = {"Items in the shop", 100},
   share = {"Share of events that write", 0.25},
   deadlock = {"Raise an error of a deadlock now and then", false},
}

function prepare()
   local con = sysbench.sql.driver():connect()
   con:query("CREATE TABLE items (id INT PRIMARY KEY, name VARCHAR(20) NOT NULL, stock INT NOT NULL, note TEXT NULL)")
   con:bulk_insert_init("INSERT INTO items (id, name, stock) VALUES")
   for i = 1, sysbench.opt.items do
      con:bulk_insert_next(string.format("(%d, '%s', 1000)", i, name(i)))
   end
   con:bulk_insert_done()
end

function cleanup()
   sysbench.sql.driver():connect():query("DROP TABLE IF EXISTS items")
end

function cmd_count()
   local con = sysbench.sql.driver():connect()
   local rs = con:query("SELECT name, note FROM items ORDER BY id")
   local row = rs:fetch_row()
   assert(row[2] == nil, "the note is NULL")
   print(rs.nrows .. " items, first " .. row[1])
end

sysbench.cmdline.commands = { count = {cmd_count, sysbench.cmdline.PARALLEL_COMMAND} }

function thread_init()
   con = sysbench.sql.driver():connect()
   look = con:prepare("SELECT stock, name FROM items WHERE id = ? AND name = ?")
   id = look:bind_create(sysbench.sql.type.INT)
   called = look:bind_create(sysbench.sql.type.VARCHAR, 20)
   look:bind_param(id, called)
   events = 0
end

function event()
   local n = sysbench.rand.default(1, sysbench.opt.items)
   events = events + 1
   id:set(n)
   called:set(name(n))
   local found = look:execute()
   assert(found.nrows == 1, "one item has this id and name")
   local stock, text = con:query_row("SELECT stock, name FROM items WHERE id = " .. n)
   assert(tonumber(stock) ~= nil and text == name(n), "the row is the one that was asked for")
   if sysbench.rand.uniform_double() < sysbench.opt.share then
      con:query("UPDATE items SET stock = stock - 1 WHERE id = " .. n)
   end
   if sysbench.opt.deadlock and events % 10 == 0 then
      con:query("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'as in a deadlock'")
   end
end

function thread_done()
   con:disconnect()
end
