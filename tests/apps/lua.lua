-- SPDX-License-Identifier: GPL-2.0-or-later
-- Prints only what does not depend on the machine.
print(_VERSION, math.maxinteger, math.mininteger, math.type(1), math.type(1.0))
print(arg[1], arg[2], #arg)

-- numbers
print(7 // 2, -7 // 2, 7 % -3, 7.5 // 2, 1 / 0, -1 / 0, 2 ^ 53)
print(0x7fffffffffffffff + 1 == math.mininteger, 1 << 63, 5 & 3, 5 ~ 3, ~0)
print(string.format("%.17g %.3f %g %a", 0.1, 2 / 3, 1e100, 1.0))
print(math.tointeger("8"), tostring(1e15), 1e16, 2 ^ 31 | 0, tonumber("0x1p4"))
print(string.format("%.10f %.10f %.10f", math.sin(1), math.exp(1), math.log(10)))

-- strings
print(("hello"):rep(3, "-"), ("x"):byte(), ("%d"):format(3), #("\u{20ac}"))
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
print((("the quick brown fox"):gsub("%w+", string.upper)))
print(string.pack("<i4 z", -2, "abc"):byte(1, -1))
print(string.unpack("<i8", string.pack("<i8", math.mininteger)))
print(utf8.char(228, 8364, 0x1f600), utf8.len("\u{e4}\u{20ac}"))

-- tables, sorting, closures, coroutines, metatables
local t = {}
for i = 1, 1000 do t[i] = (i * 7919) % 1009 end
table.sort(t)
print(t[1], t[500], t[1000], #t, select("#", table.unpack(t, 1, 200)))
local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i * i) end end)
print(gen(), gen(), gen())
local mt = setmetatable({}, { __index = function(_, k) return k .. "!" end, __call = function(_, x) return x + 1 end })
print(mt.hey, mt(41))

-- errors
print(select(2, pcall(error, "message", 0)), (pcall(nil)))
print(select(2, xpcall(function() local x = nil; return x.y end, function(m) return (m:gsub("^.-:%d+: ", "")) end)))
local depth = 0
local function recurse() depth = depth + 1; return 1 + recurse() end
local ok, message = pcall(recurse)
print(ok, message:match("stack overflow") ~= nil, depth > 10000)

-- garbage: much allocation, and weak tables
local kept = setmetatable({}, { __mode = "k" })
for i = 1, 200000 do kept[{}] = i end
collectgarbage()
print(next(kept), collectgarbage("count") < 100000)
local parts = {}
for i = 1, 50000 do parts[#parts + 1] = tostring(i) end
local text = table.concat(parts, ",")
print(#text)

-- files
local name = os.tmpname()
local f = assert(io.open(name, "wb"))
f:write(text, "\n", 3.5, "\n")
f:seek("set", 10)
f:write("XY")
f:close()
for line in io.lines(name) do print(#line, line:sub(1, 14)) end
f = assert(io.open(name, "rb"))
print(f:seek("end"), f:seek("set", 10), f:read(2), f:read("n"))
f:close()
print(os.rename(name, name .. ".new"), os.remove(name .. ".new"), (io.open(name)))
print(select(2, io.open("/no/such/file")), select(3, io.open("/no/such/file")))

-- processes and time
local p = io.popen("echo from the shell; exit 3")
print(p:read("a"), p:close())
print(os.execute("exit 2"))
print(os.time({ year = 2024, month = 2, day = 29, hour = 12 }) - os.time({ year = 2024, month = 2, day = 28, hour = 12 }))
print(os.date("!%Y-%m-%d %H:%M:%S", 4102444800), os.getenv("no such variable"))
local start = os.clock()
while os.clock() - start < 0.01 do end
print("done")
