# SPDX-License-Identifier: GPL-2.0-or-later
"""Plots as SVG text: bars for ratios, lines over counts or sizes; both with logarithmic values."""
import math
from html import escape

COLORS = ["#3366aa", "#cc6633", "#228855", "#884499", "#777777", "#aa3355", "#669900"]
TEXT = 'font-family="sans-serif" font-size="11"'


def _ticks(low, high):
    """1, 2 and 5 times powers of ten between the two; powers only if that would be many."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(decades) < 4 else (1,)
    return [value for d in decades for value in (s * 10.0 ** d for s in steps)
            if low * 0.999 <= value <= high * 1.001]


def _short(value):
    if value >= 1e6:
        return f"{value / 1e6:g}M"
    if value >= 1e4:
        return f"{value / 1e3:g}k"
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def _legend(names, colors, x, y):
    parts = []
    for i, name in enumerate(names):
        parts.append(f'<rect x="{x}" y="{y + 16 * i - 9}" width="10" height="10" '
                     f'fill="{colors[name]}"/><text x="{x + 15}" y="{y + 16 * i}" {TEXT}>'
                     f"{escape(name)}</text>")
    return "".join(parts)


def _svg(width, height, title, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img"><title>{escape(title)}</title>'
            f'<text x="8" y="16" font-family="sans-serif" font-size="13" font-weight="bold">'
            f"{escape(title)}</text>{''.join(parts)}</svg>")


def _range(values):
    low, high = min(values), max(values)
    return low / 1.15, high * 1.15 if high > low else high * 1.3


def bars(title, rows, names, colors, mark=None):
    """ROWS: (label, {name: value}); a line at MARK, from which the bars go left and right."""
    values = [row[1][n] for row in rows for n in names if row[1].get(n)]
    if not values:
        return ""
    low, high = _range(values + ([mark] if mark else []))
    left, width, bar = 190, 900, 9
    step = bar * len(names) + 10
    height = 50 + step * len(rows)
    inner = width - left - 150

    def place(value):
        return left + inner * math.log(value / low) / math.log(high / low)

    parts = [_legend(names, colors, width - 140, 40)]
    for tick in _ticks(low, high):
        x = place(tick)
        parts.append(f'<line x1="{x:.1f}" y1="34" x2="{x:.1f}" y2="{height - 10}" stroke="#ddd"/>'
                     f'<text x="{x:.1f}" y="30" text-anchor="middle" {TEXT}>{_short(tick)}</text>')
    base = place(mark) if mark else left
    for i, (label, by_name) in enumerate(rows):
        top = 42 + step * i
        parts.append(f'<text x="{left - 6}" y="{top + step / 2:.1f}" text-anchor="end" {TEXT}>'
                     f"{escape(label)}</text>")
        for j, name in enumerate(names):
            value = by_name.get(name)
            if not value:
                continue
            x = place(value)
            parts.append(f'<rect x="{min(x, base):.1f}" y="{top + bar * j}" '
                         f'width="{max(abs(x - base), 1):.1f}" height="{bar - 1}" '
                         f'fill="{colors[name]}"><title>{escape(label)}, {escape(name)}: '
                         f"{value:.4g}</title></rect>")
    if mark:
        parts.append(f'<line x1="{base:.1f}" y1="34" x2="{base:.1f}" y2="{height - 10}" '
                     f'stroke="#333"/>')
    return _svg(width, height, title, parts)


def lines(title, unit, names, colors, points):
    """POINTS: {name: [(x, value)]}, both axes logarithmic."""
    flat = [p for name in names for p in points.get(name, ()) if p[1] > 0]
    if not flat:
        return ""
    x_low, x_high = _range([p[0] for p in flat])
    low, high = _range([p[1] for p in flat])
    left, top, width, height = 60, 40, 540, 300
    inner_width, inner_height = width - left - 130, height - top - 40

    def across(x):
        return left + inner_width * math.log(x / x_low) / math.log(x_high / x_low)

    def up(value):
        return top + inner_height * (1 - math.log(value / low) / math.log(high / low))

    parts = [_legend(names, colors, width - 120, top + 10),
             f'<text x="{left - 4}" y="{top - 8}" text-anchor="end" {TEXT}>{escape(unit)}</text>']
    for tick in _ticks(low, high):
        y = up(tick)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + inner_width}" y2="{y:.1f}" '
                     f'stroke="#ddd"/><text x="{left - 4}" y="{y + 4:.1f}" text-anchor="end" '
                     f"{TEXT}>{_short(tick)}</text>")
    for x in sorted({p[0] for p in flat}):
        parts.append(f'<text x="{across(x):.1f}" y="{height - 20}" text-anchor="middle" {TEXT}>'
                     f"{_short(x)}</text>")
    for name in names:
        line = [(across(x), up(v)) for x, v in points.get(name, ()) if v > 0]
        if not line:
            continue
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colors[name]}" '
                     'stroke-width="1.6"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colors[name]}"/>'
                  for x, y in line]
    return _svg(width, height, title, parts)
