#!/usr/bin/env python3
"""Draws docs/src/ratios-light.svg and ratios-dark.svg: bars of times over those of the loop by hand, from performance-table.md.

    python3 docs/ratios.py
"""

from pathlib import Path
from xml.sax.saxutils import escape

FOLDER = Path(__file__).parent / "src"
ROWS = [
    "sum of squares",
    "filter 0.5",
    "group by, 100 keys",
    "group by, 1 M keys",
    "join with 1 M keys",
    "sort, 10 M i64",
    "TPC-H Q3",
    "TPC-H Q6",
    "TPC-H Q1",
]
WHO = ["weld!", "LLVM", "polars", "DuckDB", "DataFusion"]
THREADS = "2"
# Longer bars are cut, with their ratio written behind them.
MOST = 6.0
THEMES = {
    "light": {"text": "#1f2328", "line": "#8c959f", "bars": ["#b3541e", "#e39a5b", "#4a7fb5", "#8fb0cf", "#b9c4ce"]},
    "dark": {"text": "#e6edf3", "line": "#6e7681", "bars": ["#e8834a", "#f2b98a", "#5b96d2", "#87a9c9", "#5d6b78"]},
}
LEFT, UNIT, BAR, GAP, TOP = 170, 100, 10, 14, 44


def ratios():
    """The ratios of the first table by workload and contestant, on THREADS threads; None where nobody measured."""
    lines = iter((FOLDER / "performance-table.md").read_text().splitlines())
    cells = lambda line: [cell.strip(" `*") for cell in line.strip("|").split("|")]
    head = next(cells(line) for line in lines if line.startswith("| workload"))
    table = {}
    for line in lines:
        if not line.startswith("|"):
            break
        row = dict(zip(head, cells(line)))
        if row["threads"] == THREADS:
            table[row["workload"]] = {who: float(row[who]) if row[who] else None for who in WHO}
    return table


def draw(table, theme):
    height = TOP + len(ROWS) * (len(WHO) * BAR + GAP) + 10
    width = LEFT + int(MOST * UNIT) + 50
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="11" fill="{theme["text"]}">',
        "<title>Times over those of the best loop by hand, on two threads</title>",
    ]
    for place, (who, colour) in enumerate(zip(WHO, theme["bars"])):
        x = LEFT + place * 95
        out.append(f'<rect x="{x}" y="8" width="10" height="10" fill="{colour}"/><text x="{x + 15}" y="17">{escape(who)}</text>')
    for ratio in range(1, int(MOST) + 1):
        x = LEFT + ratio * UNIT
        dash = "" if ratio == 1 else ' stroke-dasharray="1 4"'
        label = "by hand" if ratio == 1 else f"{ratio} ×"
        out.append(f'<path d="M{x} {TOP - 6}V{height - 8}" stroke="{theme["line"]}"{dash}/>')
        out.append(f'<text x="{x}" y="{TOP - 9}" text-anchor="middle">{label}</text>')
    y = TOP
    for name in ROWS:
        out.append(f'<text x="{LEFT - 8}" y="{y + len(WHO) * BAR / 2 + 4}" text-anchor="end">{escape(name)}</text>')
        for who, colour in zip(WHO, theme["bars"]):
            ratio = table[name][who]
            if ratio is not None:
                out.append(f'<rect x="{LEFT}" y="{y}" width="{min(ratio, MOST) * UNIT:.0f}" height="{BAR - 2}" fill="{colour}"/>')
                if ratio > MOST:
                    out.append(f'<text x="{LEFT + MOST * UNIT + 5}" y="{y + BAR - 2}" font-size="9">{ratio:.1f}</text>')
            y += BAR
        y += GAP
    return "\n".join(out + ["</svg>", ""])


if __name__ == "__main__":
    for name, theme in THEMES.items():
        (FOLDER / f"ratios-{name}.svg").write_text(draw(ratios(), theme))
