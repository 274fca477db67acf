-- SPDX-License-Identifier: MIT
-- What a Lua program can see of the language and its libraries; the output is the same wherever it runs. The first
-- argument names a directory for files.
local dir = arg[1]

local function section(name) print("--- " .. name) end
local function try(f, ...) print(pcall(f, ...)) end

section "arguments"
print(#arg, arg[2], arg[3], ...)
print(os.getenv "HOME", os.getenv "NOTHING_SET")

section "numbers"
print(1 // 0.0, -1 // 0.0, 0/0 ~= 0/0, 7 // 2, -7 // 2, 7 % -3, -7 % 3, 7.5 // 2, 2^53, 1e15, 1e100, 0x7fffffffffffffff + 1)
print(math.maxinteger, math.mininteger, math.maxinteger // -1, math.tointeger(3.0), 3 | 0, 1 << 63, 1 << 64, -1 >> 1, ~0)
print(0.1 + 0.2, 1/3, 100 / 3, 3.14159265358979, -0.0, 1e-320, 123456789012345678)
print(string.format("%.17g %.3f %5d|%-5d|%05d %x %o %e %g %a %i", 0.1, 2/3, 42, 42, 42, 255, 8, 12345.678, 1e20, 0.5, 3))
print(tonumber "0x10", tonumber "  12  ", tonumber "1e2", tonumber "z", tonumber("zz", 36), tonumber("0x.8p1"), tonumber "1 2")
print(math.sqrt(2), math.floor(-3.5), math.ceil(-3.5), math.fmod(-7, 3), math.modf(3.7), math.ult(1, -1), math.abs(math.mininteger))
print(10 == 10.0, "10" == 10, 1 < 1.5, math.type(1), math.type(1.0), math.type "1", "10" + 5, "3" * "4", 10 .. 20)
try(function() return 1 // 0 end)
try(function() return 1.5 | 1 end)
try(function() return {} + 1 end)
try(function() for i = 1, 10, 0 do end end)
math.randomseed(42)
local a = {math.random(100), math.random(), math.random(5, 10)}
math.randomseed(42)
print(a[1] == math.random(100), a[2] == math.random(), a[3] == math.random(5, 10))
for _, n in ipairs {0.5, 1e-7, 123456.789, 1/7, 5e-324, 1.7976931348623157e308} do
	io.write(string.format("%.14g %.17g %.3e %a %s\n", n, n, n, n == 5e-324 and 0 or n, tonumber(string.format("%.17g", n)) == n))
end

section "strings"
print(("hello"):upper(), ("x"):rep(3, "-"), ("hello"):sub(-3, -2), ("abc"):byte(1, -1), ("hello"):reverse(), #"\u{20AC}\z
	 x", "\x41\65\10end")
print(("key = value"):match "^(%w+)%s*=%s*(%w+)$", ("THE (quick) fox"):find "%((%a+)%)", ("f(a(b)c)d"):match "%b()", ("THE fox"):gsub("%f[%a]%a+", string.lower))
print(("abc"):gsub("%w", "%0%0"), ("abc"):gsub("", "-"), ("hello world"):gsub("o", {o = "0"}), ("x = $y"):gsub("%$(%w+)", function(n) return n .. "!" end))
for k, v in ("a=1, b=2, c=3"):gmatch "(%w+)=(%w+)" do io.write(k, v, ";") end print()
print(("%q"):format 'a\n"b"\0\r\\', ("%q"):format(1/3), ("%q"):format(math.mininteger), ("%-10s|%10.2s|%c"):format("ab", "abcdef", 65))
print(string.pack("<i4 >I2 z s1 d", -2, 258, "hi", "abc", 1.5):byte(1, -1))
print(string.unpack("<i4 >I2 z s1", string.pack("<i4 >I2 z s1", -2, 258, "hi", "abc")))
print(utf8.char(72, 8364, 128512), utf8.len "añb", utf8.codepoint("€", 1), utf8.offset("añb", 3), utf8.len "\xff")
for p, c in utf8.codes "aé€" do io.write(p, ":", c, " ") end print()
try(string.rep, "x", -1)
try(string.rep, "x", 1 << 60)
try(string.format, "%d", 1.5)
try(("x"):rep(300).find, "a", ("("):rep(40))
print("a" < "b", "a" < "A", "" < "a", "a\0b" < "a\0c", "Z" < "a")

section "tables"
local t = {5, 2, 8, 1, 9, 3}
table.sort(t) print(table.concat(t, " "))
table.sort(t, function(x, y) return x > y end) print(table.concat(t, ","), #t)
print(table.remove(t), table.remove(t, 1), table.unpack(t)) table.insert(t, 2, "new") print(table.concat(t, " "))
print(select("#", table.unpack({1, nil, 3}, 1, 3)), table.pack(1, nil).n, table.concat(table.move({1, 2, 3}, 1, 3, 3), ","))
try(table.concat, {1, {}, 3})
try(table.sort, {3, 1, "x"})
local big = {}
for i = 1, 200000 do big[i] = (i * 7919) % 200003 end
table.sort(big)
print(big[1], big[100000], big[200000])
local keys = {}
for i = 1, 1000 do keys["k" .. i] = i end
for i = 1, 1000, 2 do keys["k" .. i] = nil end
local n, sum = 0, 0
for _, v in pairs(keys) do n, sum = n + 1, sum + v end
print(n, sum, next {}, rawlen {1, 2}, rawequal(t, t), #"abc")

section "metatables and closures"
local V = {}
V.__index = V
V.__add = function(x, y) return setmetatable({x[1] + y[1]}, V) end
V.__eq = function(x, y) return x[1] == y[1] end
V.__lt = function(x, y) return x[1] < y[1] end
V.__le = function(x, y) return x[1] <= y[1] end
V.__call = function(self, x) return self[1] * x end
V.__tostring = function(self) return "V(" .. self[1] .. ")" end
V.__len = function(self) return self[1] end
V.__concat = function(x, y) return tostring(x) .. "&" .. tostring(y) end
V.__close = function(self) print("close", self) end
V.__name = "Vector"
local v, w = setmetatable({3}, V), setmetatable({4}, V)
print(tostring(v + w), v == w, v < w, v <= w, v(5), #v, v .. w, v .. "x")
do local c <close> = setmetatable({1}, V) local k <const> = 5 print(k) end
try(function() local c <close> = setmetatable({2}, V) error "inside" end)
local log = setmetatable({}, {__index = function(_, k) return k .. "?" end, __newindex = function(tt, k, x) rawset(tt, k, x * 2) end})
log.x = 4 print(log.x, log.y)
local function counter() local c = 0 return function() c = c + 1 return c end end
local c1, c2 = counter(), counter()
print(c1(), c1(), c2(), c1())
print((function(...) return select("#", ...), select(-1, ...) end)(nil, nil, 3))
goto done
print "never"
::done::
for i = 3, 1, -1 do io.write(i, " ") end for x = 1.0, 2, 0.25 do io.write(x, " ") end print()

section "coroutines"
local co = coroutine.wrap(function(a1) for i = 1, 3 do a1 = coroutine.yield(a1 * i) end return "done" end)
print(co(10), co(20), co(30), co(0))
local dead = coroutine.create(function() error {code = 7} end)
local ok, err = coroutine.resume(dead)
print(ok, err.code, coroutine.status(dead), coroutine.resume(dead))
print(coroutine.isyieldable(), coroutine.running() ~= nil, select(2, coroutine.running()))
local function gen(k) return coroutine.wrap(function() for i = 1, k do coroutine.yield(i) end end) end
local total = 0 for i in gen(10000) do total = total + i end print(total)
print(coroutine.close(coroutine.create(print)), pcall(coroutine.wrap(function() return pcall(error, "x") end)))
local many = {} for i = 1, 2000 do many[i] = coroutine.create(function(x) return coroutine.yield(x + i) end) end
local s = 0 for i = 1, 2000 do local _, x = coroutine.resume(many[i], i) s = s + x end print(s)

section "errors"
try(error)
print(type(select(2, pcall(error, {1}))))
try(error, "message", 0)
print(select(2, pcall(function() local x = nil; x.y = 1 end)))
print(select(2, pcall(function() undefinedfunction() end)))
print(select(2, pcall(function() return #5 end)))
print(xpcall(function() error "deep" end, function(m) return "handled: " .. m end))
print(select(2, pcall(function() local function f() return 1 + f() end return f() end)):match "stack overflow")
print(select(2, load "x = = 1"), select(2, load("x = 'abc", "=chunk")), load "return 1 + 1" ())
print(select(2, pcall(string.rep)), select(2, pcall(setmetatable, 1, {})))
print(debug.traceback("trace", 1):gsub("\n.*", "..."))
print(debug.getinfo(1, "l").currentline, debug.getinfo(print).what, debug.getlocal(1, 1))
warn "@on" warn "said to standard error"

section "chunks"
local chunk = string.dump(load "local a, b = ... return a * b")
print(load(chunk, "dumped", "b")(6, 7), load(chunk, "dumped", "t"))
local pieces = {"return ", "'pieces'", nil}
local at = 0
print(load(function() at = at + 1 return pieces[at] end)())
local env = {y = 5}
print(load("x = y return x", "c", "t", env)(), env.x, x)
package.path = "lib/?.lua;" .. dir .. "/?.lua"
print(require "module".answer, require "module".name, package.loaded.module ~= nil, package.searchpath("module", package.path))
print(pcall(require, "lib.none"))
print(package.loadlib("none.so", "*"))

section "files"
local name = dir .. "/file.txt"
local f = assert(io.open(name, "w"))
print(io.type(f), f:write("line one\n", 2, " ", 3.5, "\n", "last") == f, f:seek "cur", f:seek("set", 5), f:write "ONE" == f)
print(f:close(), io.type(f), pcall(f.write, f, "x"))
for l in io.lines(name) do io.write("[", l, "]") end print()
for l in io.lines(name, "L") do io.write("[", l, "]") end print()
f = io.open(name)
print(f:read("l", "n", "n", "L", "a", "a", "l"))
print(f:seek("end"), f:read(0), f:read "a", f:seek "set", f:read(4), f:read(0), f:lines()())
f:close()
f = io.open(name, "a+") f:write "\nappended" f:seek "set" print(#f:read "a", f:setvbuf("full", 1024), f:setvbuf "no") f:close()
f = io.open(name, "r+b") f:seek("set", 0) f:write "LINE" f:seek("set", 0) print(f:read "l") f:close()
print(io.open(dir .. "/none/file", "w"))
print(io.open "no such file")
print(pcall(io.lines, "no such file"))
print(pcall(io.open, name, "rz"))
print(os.rename(name, dir .. "/renamed.txt"), os.remove(dir .. "/renamed.txt"), os.remove(dir .. "/renamed.txt"))
local back = io.output() io.output(dir .. "/default") io.write "through the default" io.close() io.output(back)
io.input(dir .. "/default") print(io.read "a") io.close(io.input()) io.input(io.stdin)
f = io.open(dir .. "/binary", "wb") for i = 0, 255 do f:write(string.char(i)) end f:write(("z"):rep(100000)) f:close()
f = io.open(dir .. "/binary", "rb") local data = f:read "a" print(#data, data:byte(1), data:byte(256), f:seek "end") f:close()
f = io.tmpfile() f:write "temporary" f:seek "set" print(f:read "a") f:close()
print(os.remove(dir .. "/binary"), os.remove(dir .. "/default"))
f = io.open(dir .. "/numbers", "w") f:write "0x1F -7 3.25e2 nan 12abc" f:close()
f = io.open(dir .. "/numbers") print(f:read("n", "n", "n", "n")) f:close() os.remove(dir .. "/numbers")

section "time"
print(os.date("!%Y-%m-%d %H:%M:%S %a %b %j %p", 1e9), os.date("!*t", 86400 * 365).year, os.time {year = 2001, month = 9, day = 9, hour = 1, min = 46, sec = 40})
print(os.time {year = 2024, month = 14, day = -3, hour = 12}, os.difftime(10, 5), os.date("!%c", 0), os.date("!%x %X", 0))
print(pcall(os.date, "%Ez", 0), pcall(os.time, {year = 2000}))
print(os.setlocale(nil), os.setlocale "C", type(os.clock()))

section "garbage"
local weak = setmetatable({}, {__mode = "k"})
for i = 1, 100 do weak[{}] = i end
local gone = 0
for i = 1, 50 do setmetatable({}, {__gc = function() gone = gone + 1 end}) end
collectgarbage() collectgarbage()
print(next(weak), gone, collectgarbage "count" > 0, collectgarbage "isrunning", collectgarbage "incremental", collectgarbage "generational")
local junk for i = 1, 200000 do junk = {i, tostring(i)} end
collectgarbage "step" collectgarbage "incremental" collectgarbage()
print(collectgarbage "count" < 20000)

section "work"
local function fib(k) return k < 2 and k or fib(k - 1) + fib(k - 2) end
print(fib(24))
local sieve, count = {}, 0
for i = 2, 100000 do if not sieve[i] then count = count + 1 for j = i * i, 100000, i do sieve[j] = true end end end
print(count)
local words = {} for i = 1, 20000 do words[#words + 1] = ("%05d:%g"):format(i, i / 7) end
local text = table.concat(words, ",") print(#text, select(2, text:gsub("%d+", "")), text:sub(-40))
local x, y = 0.1, 0.2 for i = 1, 100000 do x, y = 4 * x * (1 - x), (x + y) % 1 end print(x, y)
local function permute(p, k) if k == 0 then return 1 end local r = 0 for i = 1, k do p[i], p[k] = p[k], p[i] r = r + permute(p, k - 1) p[i], p[k] = p[k], p[i] end return r end
print(permute({1, 2, 3, 4, 5, 6, 7}, 7))
print "end"
