-- SPDX-License-Identifier: GPL-2.0-or-later
-- mix.lua ROUNDS: queens, strings, tables, closures, floating point and garbage.
local rounds = tonumber(arg[1])

local function queens(n)
	local columns, up, down, count = {}, {}, {}, 0
	local function place(row)
		if row > n then
			count = count + 1
			return
		end
		for c = 1, n do
			local u, d = row + c, row - c + n
			if not (columns[c] or up[u] or down[d]) then
				columns[c], up[u], down[d] = true, true, true
				place(row + 1)
				columns[c], up[u], down[d] = nil, nil, nil
			end
		end
	end
	place(1)
	return count
end

local function words()
	local seen, order = {}, {}
	for i = 1, 20000 do
		local word = string.format("w%d", (i * i * 31) % 997)
		if not seen[word] then
			order[#order + 1] = word
		end
		seen[word] = (seen[word] or 0) + 1
	end
	table.sort(order, function(a, b)
		return seen[a] > seen[b] or seen[a] == seen[b] and a < b
	end)
	local text = table.concat(order, " ", 1, 200)
	local _, count = text:gsub("w(%d)(%d*)", "%2%1")
	return count + #text
end

local function orbit()
	local x, y, vx, vy = 1.0, 0.0, 0.0, 1.0
	for _ = 1, 50000 do
		local r = math.sqrt(x * x + y * y)
		local f = -0.001 / (r * r * r)
		vx, vy = vx + x * f, vy + y * f
		x, y = x + vx * 0.001, y + vy * 0.001
	end
	return math.floor(x * 1e6 + 0.5)
end

local function trees(depth)
	local function make(d)
		return d > 0 and { make(d - 1), make(d - 1) } or {}
	end
	local function size(t)
		return t[1] and 1 + size(t[1]) + size(t[2]) or 1
	end
	return size(make(depth))
end

local sum = 0
for round = 1, rounds do
	sum = sum + queens(7) + words() + orbit() + trees(12) + round
end
print(sum)
