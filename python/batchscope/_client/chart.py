"""Throughput over batch size with its intervals, as a picture in SVG."""

import html
import math

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 12, 24, 44
# Told apart on white and on black.
_COLOURS = ("#3b82f6", "#d97706", "#10a37f", "#a855f7", "#e0526b", "#7c8aa0")
_MOST_SERIES = len(_COLOURS)


class _Scale:
    """From batch sizes and samples a second to places in the picture."""

    def __init__(self, points):
        sizes = [config.batch_size for config in points]
        self.log = max(sizes) / min(sizes) > 8
        self.first, self.last = self._along(min(sizes)), self._along(max(sizes))
        self.top = max(_upper(config) for config in points) * 1.05 or 1

    def _along(self, size):
        return math.log2(size) if self.log else size

    def x(self, size):
        span = self.last - self.first
        share = (self._along(size) - self.first) / span if span else 0.5
        return _LEFT + 10 + share * (_WIDTH - _LEFT - _RIGHT - 20)

    def y(self, value):
        return _TOP + (1 - value / self.top) * (_HEIGHT - _TOP - _BOTTOM)


def _upper(config):
    throughput = config.throughput_per_s
    return throughput.value if throughput.high is None else max(throughput.value, throughput.high)


def _drawable(config):
    return bool(config.batch_size) and config.throughput_per_s.value is not None


def _nice_step(top, most=5):
    """1, 2 or 5 times a power of ten, at most so many of them up to the top."""
    rough = top / most
    power = 10 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)


def _text(x, y, text, anchor="middle"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor">{html.escape(text)}</text>'


def _line(x1, y1, x2, y2, colour="currentColor", opacity=1.0):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-opacity="{opacity}"/>')


def _grid(scale):
    step = _nice_step(scale.top)
    values = [step * i for i in range(int(scale.top / step) + 1)]
    drawn = [_line(_LEFT, scale.y(value), _WIDTH - _RIGHT, scale.y(value), opacity=0.2) for value in values]
    return drawn + [_text(_LEFT - 6, scale.y(value) + 4, f"{value:.4g}", "end") for value in values]


def _ticks(scale, sizes):
    """Labels of the batch sizes, as many as have room."""
    drawn, free = [], -math.inf
    for size in sorted(sizes):
        x, half = scale.x(size), 4 * len(str(size))
        if x - half >= free:
            drawn.append(_text(x, _HEIGHT - _BOTTOM + 18, str(size)))
            free = x + half + 6
    return drawn


def _series(scale, configs, colour):
    places = [(scale.x(config.batch_size), scale.y(config.throughput_per_s.value)) for config in configs]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    drawn = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>']
    for config, (x, y) in zip(configs, places):
        throughput = config.throughput_per_s
        if throughput.low is not None and throughput.high is not None:
            drawn.append(_line(x, scale.y(throughput.low), x, scale.y(throughput.high), colour))
        title = f"<title>batch {config.batch_size}: {html.escape(str(throughput))} samples/s</title>"
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">{title}</circle>')
    return drawn


def _groups(configs):
    """Rows that differ in nothing but the batch size, by ascending size."""
    groups = {}
    for config in configs:
        groups.setdefault(config.group, []).append(config)
    return {key: sorted(rows, key=lambda config: config.batch_size) for key, rows in groups.items()}


def _label(analysis, group):
    groups = analysis.raw.get("groups") or []
    return groups[group].get("label", "") if isinstance(group, int) and group < len(groups) else ""


def _legend(labels):
    rows = [f'<div><span style="color: {colour}">&#9632;</span> {html.escape(label)}</div>' for colour, label in labels]
    return "".join(rows) if len(rows) > 1 else ""


def throughput(analysis):
    """The picture and, for several series, what is which; empty where there is nothing to draw."""
    points = [config for config in analysis.configs if _drawable(config)]
    if not points:
        return ""
    groups = list(_groups(points).items())[:_MOST_SERIES]
    scale = _Scale([config for _, configs in groups for config in configs])
    drawn = _grid(scale) + _ticks(scale, {config.batch_size for _, configs in groups for config in configs})
    for colour, (_, configs) in zip(_COLOURS, groups):
        drawn += _series(scale, configs, colour)
    drawn += [_text(_LEFT, 14, "samples/s, with 95 % intervals", "start"), _text(_WIDTH / 2, _HEIGHT - 6, "batch size")]
    legend = _legend([(colour, _label(analysis, group)) for colour, (group, _) in zip(_COLOURS, groups)])
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
            f'aria-label="samples per second over batch size" '
            f'style="max-width: {_WIDTH}px; width: 100%; color: inherit; font: 12px sans-serif">'
            f'{"".join(drawn)}</svg>{legend}')
