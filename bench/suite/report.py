# SPDX-License-Identifier: GPL-2.0-or-later
"""From the result of a run, as it stands in the JSON file, to tables and the report."""
import math
from html import escape

from suite import plot
from suite.rows import GROUPS, LMBENCH

QEMU, HOST = "qemu-aarch64", "host"

# Means over more or less than one group.
SETS = {
    "computing": ("Computing: kernels and programs", lambda row: row["group"] in ("kernels", "programs")),
    "float": ("Floating point", lambda row: row["key"] in ("matrix", "himeno-s", "himeno-m")),
    "integer": ("Programs without floating point", lambda row:
                row["group"] == "programs" and not row["key"].startswith("himeno")),
}

STYLE = """body{font-family:sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0;font-size:13px}
th,td{padding:3px 8px;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
div.wide{overflow-x:auto}td.slow{background:#fbdcd4}td.fast{background:#dff0dc}td.none{color:#999}
p.note{color:#555;font-size:13px;max-width:70em}"""


def best(row, name):
    """The figure of variant NAME, or None if it has none."""
    return row["variants"].get(name, {}).get("best")


def cost(row, name, other):
    """How many times the cost of OTHER the variant NAME has (more is worse, in every unit)."""
    mine, theirs = best(row, name), best(row, other)
    if not mine or not theirs:
        return None
    return theirs / mine if row["unit"] == "MB/s" else mine / theirs


def geometric_mean(values):
    values = [value for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def set_title(name):
    return GROUPS[name] if name in GROUPS else SETS[name][0]


def ours(result):
    """The variants that run ILP32 programs: the engines and the peers."""
    return [name for name in result["variants"] if name not in (QEMU, HOST)]


def means(result):
    """{group or set: {variant: {other: mean cost}}}; a row that failed does not count."""
    found, sets = {}, {group: [] for group in GROUPS}
    for row in result["rows"]:
        sets[row["group"]].append(row)
    for name, (_, belongs) in SETS.items():
        sets[name] = [row for row in result["rows"] if belongs(row)]
    for group, rows in sets.items():
        for name in ours(result):
            for other in (QEMU, HOST):
                value = geometric_mean([cost(row, name, other) for row in rows])
                if value:
                    found.setdefault(group, {}).setdefault(name, {})[other] = value
    return found


def slower(result, name, other=QEMU):
    """Rows on which NAME costs more than OTHER, the worst first: (row, cost)."""
    rows = [(row, cost(row, name, other)) for row in result["rows"]]
    return sorted([pair for pair in rows if pair[1] and pair[1] > 1], key=lambda pair: -pair[1])


def number(value):
    if value is None:
        return "–"
    return f"{value:.0f}" if value >= 1000 else f"{value:.4g}" if value >= 100 else f"{value:.3g}"


def as_text(result):
    """The table for the terminal."""
    names, engines = list(result["variants"]), ours(result)
    out = [f"{'':34}{'unit':>6}" + "".join(f"{n:>15}" for n in names) +
           "".join(f"{n + '/qemu':>15}" for n in engines) + f"{'deviation':>11}"]
    group = None
    for row in result["rows"]:
        if row["group"] != group:
            group = row["group"]
            out.append(f"-- {GROUPS[group]}")
        line = f"{row['title']:34.34}{row['unit']:>6}"
        line += "".join(f"{number(best(row, n)):>15}" for n in names)
        line += "".join(f"{number(cost(row, n, QEMU)):>15}" for n in engines)
        spread = [v["rsd"] for v in row["variants"].values() if v.get("rsd") is not None]
        out.append(line + (f"{100 * max(spread):10.0f}%" if spread else f"{'–':>11}"))
        out += [f"   {n}: {v['failed']}" for n, v in row["variants"].items() if "failed" in v]
    for group, by_name in means(result).items():
        out.append(f"geometric mean, {set_title(group)}: " + "; ".join(
            f"{n} " + ", ".join(f"{value:.2f} x {other}" for other, value in values.items())
            for n, values in by_name.items()))
    return "\n".join(out)


def table(head, rows):
    """ROWS of cells: text, or (class, text)."""
    out = ['<div class="wide"><table><tr>', *(f"<th>{escape(cell)}</th>" for cell in head), "</tr>"]
    for row in rows:
        out.append("<tr>")
        for cell in row:
            kind, text = cell if isinstance(cell, tuple) else ("", cell)
            out.append(f'<td class="{kind}">{escape(text)}</td>' if kind else
                       f"<td>{escape(text)}</td>")
        out.append("</tr>")
    return "".join(out) + "</table></div>"


def ratio_cell(value, bound=1.0):
    if value is None:
        return ("none", "–")
    return ("slow" if value > bound else "fast", f"{value:.2f}")


def figure_cell(row, name):
    variant = row["variants"].get(name)
    if variant is None or "failed" in variant:
        return ("none", "failed" if variant else "–")
    return number(variant["best"])


def early(result):
    rows, wanted = len(result["rows"]), result["options"]["rows"]
    return f"; ended early, {rows} of {wanted} rows" if rows < wanted else ""


def head_of(result):
    machine, options = result["machine"], result["options"]
    rows = [(name, value["runs"], value["command"], value["version"])
            for name, value in result["variants"].items()]
    return (f"<h1>ilp32run measured</h1><p>{escape(result['date'])}, {escape(machine['cpu'])}, "
            f"{machine['processors']} processors, Linux {escape(machine['kernel'])}, load "
            f"{machine['load'][0]:.1f} before and {machine['load'][1]:.1f} after. "
            f"{options['rounds']} rounds, micro cases of at least {options['milliseconds']} ms"
            f"{', quick' if options['quick'] else ''}{early(result)}.</p>"
            + table(["variant", "programs", "command", "version"], rows) +
            '<p class="note">The variants took turns in each round. Figures are those of the best '
            "round, in processor time (user and system, all processes and threads of the case) "
            "where the text does not say elapsed. Ratios are costs: 2.00 takes twice as long as, or "
            "has half the bandwidth of, what it is compared with. ILP32, LP64 and host programs are "
            "built from the same sources and the same C library with the same options; LP64 under "
            "qemu stands for what qemu would do with ILP32.</p>")


def means_of(result):
    engines, found = ours(result), means(result)
    head = ["geometric mean of costs"] + [f"{n} / {o}" for o in ("qemu", "host") for n in engines]
    rows = []
    for group, by_name in found.items():
        cells = [set_title(group)]
        for other in (QEMU, HOST):
            for n in engines:
                value = by_name.get(n, {}).get(other)
                cells.append(ratio_cell(value) if other == QEMU else number(value))
        rows.append(cells)
    bars = [(set_title(g), {n: v.get(QEMU) for n, v in by_name.items()})
            for g, by_name in found.items()]
    return ("<h2>Means</h2>" + table(head, rows) +
            plot.bars("Cost in times of qemu-aarch64 (left of the line: less)", bars, engines,
                      colors_of(result), 1.0))


def colors_of(result):
    return {n: plot.COLORS[i % len(plot.COLORS)] for i, n in enumerate(result["variants"])}


def slower_of(result):
    parts = ["<h2>Where qemu is faster</h2>"]
    for name in ours(result):
        rows = [[f"{GROUPS[row['group']]}: {row['title']}", figure_cell(row, name),
                 figure_cell(row, QEMU), row["unit"], ratio_cell(value)]
                for row, value in slower(result, name)]
        parts.append(table([f"{name}: {len(rows)} rows", name, "qemu", "unit", "cost"], rows)
                     if rows else f"<p>{escape(name)}: nowhere.</p>")
    return "".join(parts)


def lmbench_of(result):
    parts = ["<h2>Summary in lmbench's layout</h2>"]
    for group in [*LMBENCH, "memory"]:
        rows = [row for row in result["rows"] if row["group"] == group]
        if not rows:
            continue
        unit = {"us": "microseconds: smaller is better", "MB/s": "MB/s: bigger is better",
                "ns": "nanoseconds: smaller is better"}[rows[0]["unit"]]
        parts.append(f"<h3>{escape(GROUPS[group])} ({unit})</h3>" + table(
            ["", *(row["title"] for row in rows)],
            [[f"{n} ({v['runs']})", *(figure_cell(row, n) for row in rows)]
             for n, v in result["variants"].items()]))
        bars = [(row["title"], {n: cost(row, n, QEMU) for n in ours(result)}) for row in rows]
        parts.append(plot.bars(f"{GROUPS[group]}: cost in times of qemu-aarch64", bars, ours(result),
                               colors_of(result), 1.0))
    return "".join(parts)


def programs_of(result):
    parts = []
    for group in ("kernels", "programs", "startup"):
        rows = [row for row in result["rows"] if row["group"] == group]
        if not rows:
            continue
        bars = [(row["title"], {n: cost(row, n, QEMU) for n in ours(result)}) for row in rows]
        parts.append(f"<h2>{escape(GROUPS[group])}</h2>" + plot.bars(
            "Cost in times of qemu-aarch64", bars, ours(result), colors_of(result), 1.0))
    return "".join(parts)


def series_of(result):
    """Lines over sizes and counts; of the scaling also the speed-up."""
    names, parts, series = list(result["variants"]), [], {}
    for row in result["rows"]:
        if row["series"]:
            series.setdefault((row["group"], row["series"], row["unit"]), []).append(row)
    for (group, title, unit), rows in series.items():
        points = {n: [(row["x"], best(row, n)) for row in rows if best(row, n)] for n in names}
        parts.append(plot.lines(f"{GROUPS[group]}: {title}", unit, names, colors_of(result), points))
        if group == "scaling":
            head = ["times as fast as with one thread", *(row["title"] for row in rows)]
            parts.append(table(head, [[n, *(number(best(rows[0], n) / best(row, n))
                                            if best(rows[0], n) and best(row, n) else "–"
                                            for row in rows)] for n in names]))
        if group == "resident" and len(rows) > 1:
            first, last = rows[0], rows[-1]
            parts.append(table(["MiB a thread more"], [
                [n, number((best(last, n) - best(first, n)) / (last["x"] - first["x"]))]
                for n in names if best(first, n) and best(last, n)]))
    return "<h2>Over sizes and counts</h2>" + "".join(parts) if parts else ""


def details_of(result):
    names, engines = list(result["variants"]), ours(result)
    head = ["row", "name", "unit"]
    for n in names:
        head += [n, "±"]
    head += [f"{n} / qemu" for n in engines] + [f"{n} / host" for n in engines]
    rows = []
    for row in result["rows"]:
        cells = [f"{GROUPS[row['group']]}: {row['title']}", row["key"],
                 row["unit"] + (" elapsed" if row["clock"] == "elapsed" else "")]
        for n in names:
            spread = row["variants"].get(n, {}).get("rsd")
            cells += [figure_cell(row, n), f"{100 * spread:.0f}%" if spread is not None else "–"]
        cells += [ratio_cell(cost(row, n, QEMU)) for n in engines]
        cells += [number(cost(row, n, HOST)) for n in engines]
        rows.append(cells)
    failures = [[f"{row['key']}", n, v["failed"]] for row in result["rows"]
                for n, v in row["variants"].items() if "failed" in v]
    return ("<h2>All rows</h2><p class=\"note\">± is the relative standard deviation over the rounds; "
            "the figure itself is the best round's.</p>" + table(head, rows) +
            (f"<h2>Not measured</h2>{table(['row', 'variant', 'why'], failures)}" if failures else ""))


def as_html(result):
    """The report: one file that needs no other."""
    return ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/>'
            f"<title>ilp32run measured</title><style>{STYLE}</style></head><body>"
            + head_of(result) + means_of(result) + slower_of(result) + lmbench_of(result)
            + programs_of(result) + series_of(result) + details_of(result) + "</body></html>\n")
