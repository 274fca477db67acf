-- SPDX-License-Identifier: MIT
-- Sorting, strings, patterns, tables and calls: rounds of it, as many as the argument says.
local n = tonumber(arg[1])
local t = {}
local x = 42
for r = 1, n do
  for i = 1, 20000 do x = (x * 1103515245 + 12345) % 2147483648; t[i] = x end
  table.sort(t)
  local s = {}
  for i = 1, 20000 do s[#s+1] = tostring(t[i] % 1000) end
  local w = table.concat(s, " ")
  local c = {}
  for a in w:gmatch("%d+") do c[a] = (c[a] or 0) + 1 end
  local function fib(k) if k < 2 then return k end return fib(k-1) + fib(k-2) end
  fib(20)
end
print(x)
