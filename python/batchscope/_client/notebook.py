"""What a notebook shows of an analysis: the answer, a table, a chart. No script, no network; light and dark."""

import html

from batchscope._client.program import call
from batchscope._client.results import SETTING

_MOST_ROWS = 60
_WORDS = {"proven": "slow, proven", "suspect": "slow, suspected"}
_CELL = "padding: 0.15em 0.8em; text-align: {}"


def _escape(value):
    return html.escape(str(value), quote=True)


def _figure(estimate):
    if estimate.value is None:
        return ""
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.4g}"
    return f"{estimate.value:.4g} ±{(estimate.high - estimate.low) / 2:.2g}"


def _differing(configs):
    """The axes that tell rows apart, beside the batch size."""
    names = (name for name in SETTING if name != "batch_size")
    return [name for name in names if len({repr(config.raw.get(name)) for config in configs}) > 1]


def _best_sizes(analysis):
    groups = analysis.raw.get("groups") or []
    return [set(group.get("best_sizes") or ()) for group in groups]


def _verdict(config, best):
    words = _WORDS.get(config.verdict, config.verdict)
    inside = isinstance(config.group, int) and config.group < len(best) and config.batch_size in best[config.group]
    return f"{words}, best" if inside and config.verdict == "ok" else words


def _row(values, tag="td", aligned="right"):
    style = _CELL.format(aligned)
    return "<tr>" + "".join(f'<{tag} style="{style}">{_escape(value)}</{tag}>' for value in values) + "</tr>"


def table(analysis):
    """The scaling table; empty where there is none."""
    configs = [config for config in analysis.configs if config.time_ms.value is not None]
    if not configs:
        return ""
    axes, best = _differing(configs), _best_sizes(analysis)
    titles = [axis.replace("_", " ") for axis in axes]
    rows = [_row(["batch", *titles, "ms a batch", "samples/s", "visits", "verdict"], "th")]
    for config in configs[:_MOST_ROWS]:
        rows.append(_row([config.batch_size, *(config.raw.get(axis, "") for axis in axes), _figure(config.time_ms),
                          _figure(config.throughput_per_s), config.visits, _verdict(config, best)]))
    more = len(configs) - _MOST_ROWS
    rest = f"<p>{more} more rows: .configs has all.</p>" if more > 0 else ""
    return f'<table style="border-collapse: collapse; font-variant-numeric: tabular-nums">{"".join(rows)}</table>{rest}'


def _is_command(line):
    return line.startswith("  ")


def answer(analysis):
    lines = []
    for index, line in enumerate(analysis.answer.lines):
        if _is_command(line):
            lines.append(f'<pre style="white-space: pre-wrap; margin: 0">{_escape(line.strip())}</pre>')
        else:
            text = _escape(line)
            lines.append(f"<div>{f'<strong>{text}</strong>' if index == 0 else text}</div>")
    return "".join(lines)


def picture(analysis):
    """Throughput over batch size, as the program draws it; empty where there is nothing to draw."""
    return call(["chart"], given=analysis.to_json()).printed


def page(analysis):
    """All of it; colours are those of the notebook, the picture brings its own."""
    parts = [answer(analysis), table(analysis), picture(analysis)]
    return '<div class="batchscope" style="color: inherit">' + "".join(parts) + "</div>"
