-- SPDX-License-Identifier: GPL-2.0-or-later
-- Run by an ILP32 Lua: a program of some size that touches what an interpreter needs from its platform:
-- integers and floats, strings, tables, closures, coroutines, garbage collection, files, errors.

local dir = assert(arg[1], "usage: program.lua DIRECTORY")

-- What the machine's C types are: 4-byte long and size_t is ILP32, 8-byte lua_Integer stays.
print(("long %d, size_t %d, lua_Integer %d, lua_Number %d bytes"):format(
	string.packsize("l"), string.packsize("T"), string.packsize("j"), string.packsize("n")))

---------------------------------------------------------------------- SHA-256 with 64-bit integers
local function primes(n)
	local list, candidate = {}, 2
	while #list < n do
		local is_prime = true
		for _, p in ipairs(list) do
			if p * p > candidate then break end
			if candidate % p == 0 then is_prime = false break end
		end
		if is_prime then list[#list + 1] = candidate end
		candidate = candidate + 1
	end
	return list
end

local function fraction_bits(x) return math.floor((x % 1) * 2 ^ 32) end

local K, H0 = {}, {}
for i, p in ipairs(primes(64)) do
	K[i] = fraction_bits(p ^ (1 / 3))
	if i <= 8 then H0[i] = fraction_bits(p ^ 0.5) end
end

local function rotr(x, n) return ((x >> n) | (x << (32 - n))) & 0xffffffff end

local function sha256(message)
	local h = table.move(H0, 1, 8, 1, {})
	local bits = #message * 8
	message = message .. "\x80" .. ("\0"):rep((55 - #message) % 64) .. (">I8"):pack(bits)
	for chunk = 1, #message, 64 do
		local w = { (">I4I4I4I4I4I4I4I4I4I4I4I4I4I4I4I4"):unpack(message, chunk) }
		for i = 17, 64 do
			local a, b = w[i - 15], w[i - 2]
			local s0 = rotr(a, 7) ~ rotr(a, 18) ~ (a >> 3)
			local s1 = rotr(b, 17) ~ rotr(b, 19) ~ (b >> 10)
			w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & 0xffffffff
		end
		local a, b, c, d, e, f, g, hh = table.unpack(h)
		for i = 1, 64 do
			local s1 = rotr(e, 6) ~ rotr(e, 11) ~ rotr(e, 25)
			local t1 = (hh + s1 + ((e & f) ~ (~e & g)) + K[i] + w[i]) & 0xffffffff
			local s0 = rotr(a, 2) ~ rotr(a, 13) ~ rotr(a, 22)
			local t2 = (s0 + ((a & b) ~ (a & c) ~ (b & c))) & 0xffffffff
			a, b, c, d, e, f, g, hh = (t1 + t2) & 0xffffffff, a, b, c, (d + t1) & 0xffffffff, e, f, g
		end
		for i, v in ipairs { a, b, c, d, e, f, g, hh } do h[i] = (h[i] + v) & 0xffffffff end
	end
	return (("%08x"):rep(8)):format(table.unpack(h))
end
print("sha256('abc')", sha256("abc"))
print("sha256(1000 x 'ilp32 ')", sha256(("ilp32 "):rep(1000)))

---------------------------------------------------------------------- big numbers
local Big = {}
Big.__index = Big
local BASE <const> = 10000000

function Big.new(n) return setmetatable({ n }, Big) end

function Big:times(k)
	local result, carry = {}, 0
	for i, digit in ipairs(self) do
		local v = digit * k + carry
		result[i], carry = v % BASE, v // BASE
	end
	while carry > 0 do
		result[#result + 1], carry = carry % BASE, carry // BASE
	end
	return setmetatable(result, Big)
end

function Big:__tostring()
	local parts = { tostring(self[#self]) }
	for i = #self - 1, 1, -1 do parts[#parts + 1] = ("%07d"):format(self[i]) end
	return table.concat(parts)
end

local factorial = Big.new(1)
for i = 2, 60 do factorial = factorial:times(i) end
print("60! = " .. tostring(factorial))

---------------------------------------------------------------------- coroutines: eight queens
local function queens(n)
	return coroutine.wrap(function()
		local columns, up, down, row_of = {}, {}, {}, {}
		local function place(col)
			if col > n then coroutine.yield(row_of) return end
			for row = 1, n do
				if not (columns[row] or up[row + col] or down[row - col]) then
					columns[row], up[row + col], down[row - col] = true, true, true
					row_of[col] = row
					place(col + 1)
					columns[row], up[row + col], down[row - col] = nil, nil, nil
				end
			end
		end
		place(1)
	end)
end
local solutions, first = 0, nil
for rows in queens(8) do
	solutions = solutions + 1
	first = first or table.concat(rows, " ")
end
print("eight queens", solutions .. " solutions", "first " .. first)

---------------------------------------------------------------------- floats: LU solve of a Hilbert system
local function solve(n)
	local a, b = {}, {}
	for i = 1, n do
		a[i], b[i] = {}, 0
		for j = 1, n do
			a[i][j] = 1 / (i + j - 1)
			b[i] = b[i] + a[i][j]
		end
	end
	for k = 1, n do
		local pivot = k
		for i = k + 1, n do if math.abs(a[i][k]) > math.abs(a[pivot][k]) then pivot = i end end
		a[k], a[pivot], b[k], b[pivot] = a[pivot], a[k], b[pivot], b[k]
		for i = k + 1, n do
			local f = a[i][k] / a[k][k]
			for j = k, n do a[i][j] = a[i][j] - f * a[k][j] end
			b[i] = b[i] - f * b[k]
		end
	end
	local x = {}
	for i = n, 1, -1 do
		local s = b[i]
		for j = i + 1, n do s = s - a[i][j] * x[j] end
		x[i] = s / a[i][i]
	end
	return x
end
local worst = 0
for _, v in ipairs(solve(6)) do worst = math.max(worst, math.abs(v - 1)) end
print("Hilbert system of 6 solved", worst < 1e-8)
print("floats", ("%.15g %.6f %a %g"):format(math.pi, 2 / 3, 0.1, 1e300 * 1e10), 7 // 2, -7 // 2, -7 % 3, 7.5 // 2)
print("integers", math.maxinteger + 1 == math.mininteger, 1 << 63, 0xffffffff * 0xffffffff, math.ult(1, -1))

---------------------------------------------------------------------- a JSON writer and reader
local function encode(v)
	if type(v) == "table" then
		local parts = {}
		if #v > 0 then
			for _, item in ipairs(v) do parts[#parts + 1] = encode(item) end
			return "[" .. table.concat(parts, ",") .. "]"
		end
		local keys = {}
		for k in pairs(v) do keys[#keys + 1] = k end
		table.sort(keys)
		for _, k in ipairs(keys) do parts[#parts + 1] = ("%q:%s"):format(k, encode(v[k])) end
		return "{" .. table.concat(parts, ",") .. "}"
	end
	return type(v) == "string" and ("%q"):format(v) or tostring(v)
end

local function decode(text)
	local pos = 1
	local function peek()
		pos = text:find("%S", pos)
		return text:sub(pos, pos)
	end
	local value
	local function sequence(close, item)
		pos = pos + 1
		local result = {}
		while peek() ~= close do
			item(result)
			if peek() == "," then pos = pos + 1 end
		end
		pos = pos + 1
		return result
	end
	function value()
		local c = peek()
		if c == "{" then
			return sequence("}", function(t)
				local key = value()
				assert(peek() == ":", "':' expected at " .. pos)
				pos = pos + 1
				t[key] = value()
			end)
		elseif c == "[" then
			return sequence("]", function(t) t[#t + 1] = value() end)
		elseif c == '"' then
			local s, e = text:match('^"([^"]*)"()', pos)
			pos = e
			return s
		end
		local word, e = text:match("^([%w.+-]+)()", pos)
		if not word then error("unexpected '" .. c .. "' at " .. pos) end
		pos = e
		if word == "true" or word == "false" then return word == "true" end
		return tonumber(word) or error("bad word " .. word)
	end
	return value()
end

local document = { name = "guest", bits = { 32, 64 }, exact = true, nested = { deep = { "a", "b", 1.5 } } }
local text = encode(document)
print(text)
assert(encode(decode(text)) == text)
local ok, message = pcall(decode, "[1, ?]")
print(ok, (message:gsub("^.-:%d+: ", "")))

---------------------------------------------------------------------- files, sorting, patterns
local path = dir .. "/words.txt"
local file = assert(io.open(path, "w"))
local seed = 42
for _ = 1, 5000 do
	seed = (seed * 1103515245 + 12345) & 0x7fffffff
	file:write("word", seed >> 16 & 0xff, (seed >> 8 & 15) == 0 and "\n" or " ")
end
file:close()

local count, lines = {}, 0
for line in io.lines(path) do
	lines = lines + 1
	for word in line:gmatch("%a+%d+") do count[word] = (count[word] or 0) + 1 end
end
local words = {}
for word in pairs(count) do words[#words + 1] = word end
table.sort(words, function(a, b)
	if count[a] ~= count[b] then return count[a] > count[b] end
	return a < b
end)
print(lines .. " lines, " .. #words .. " words, most frequent " .. words[1] .. " " .. count[words[1]] ..
	", rarest " .. words[#words] .. " " .. count[words[#words]])
file = assert(io.open(path, "rb"))
local size = file:seek("end")
file:seek("set", size // 2)
print("file of " .. size .. " bytes, middle " .. ("%q"):format(file:read(8)))
file:close()
local none, why, code = io.open(dir .. "/none/none", "r")
print(none, why:sub(#dir + 2), code)
assert(os.rename(path, dir .. "/renamed") and os.remove(dir .. "/renamed"))
print(os.date("!%Y-%m-%d %H:%M:%S", 2000000000), os.time { year = 2038, month = 1, day = 20, hour = 12 } > 2 ^ 31)

---------------------------------------------------------------------- garbage and errors
local weak, made = setmetatable({}, { __mode = "k" }), 0
for i = 1, 50000 do
	local t = { i, tostring(i), function() return i end }
	weak[t] = true
	made = made + #t
end
collectgarbage()
local left = 0
for _ in pairs(weak) do left = left + 1 end
print("made " .. made .. " values, " .. left .. " of 50000 tables left after collection",
	collectgarbage("count") < 2000)

local function depth(n) return 1 + depth(n + 1) end
ok, message = pcall(depth, 1)
print("endless recursion", ok, (message:match("stack overflow")))
ok, message = xpcall(function() local t; return t.field end, function(m)
	return (m:gsub("^.-:%d+: ", ""))
end)
print("nil access", ok, message)
local closed = {}
do
	local a <close> = setmetatable({}, { __close = function() closed[#closed + 1] = "a" end })
	local b <close> = setmetatable({}, { __close = function() closed[#closed + 1] = "b" end })
end
print("to-be-closed", table.concat(closed, " "))
print("lua demo finished")
