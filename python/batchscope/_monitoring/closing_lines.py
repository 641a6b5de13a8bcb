"""What a monitor prints at its end, in six lines at most."""

from batchscope._monitoring import loader_advice
from batchscope._monitoring.step_clock import PARTS

FEWEST_STEPS = 10
_RANKS = ("high", "medium", "low", "info")
_LOADING = "training.loading"


def _percent(share):
    return f"{100 * share:.0f} %" if share >= 0.01 or share == 0 else "<1 %"


def _duration(seconds):
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def _worst(findings):
    """Of those that say that something is wrong; waits are judged over all steps here."""
    wrong = [each for each in findings if each.severity in _RANKS[:3] and each.id != _LOADING]
    return min(wrong, key=lambda each: _RANKS.index(each.severity), default=None)


def _loader_lines(loader, totals):
    """(verdict, fix) of the loader; the fix is "" where it keeps up."""
    share = totals.share("load")
    if loader_advice.severity_of(share) is None:
        return f"the loader keeps up ({_percent(share)} of the time).", ""
    return f"waiting for the loader takes {_percent(share)} of the time.", loader_advice.fix_of(loader, totals)


def _head(totals, loader, worst):
    """The first lines, and whether the loader is slow."""
    mean = totals.seconds / totals.counted
    begin = f"batchscope: {totals.steps} step{'s' if totals.steps > 1 else ''} of {_duration(mean)}"
    if totals.steps < FEWEST_STEPS:
        return [f"{begin}: too few to find a problem."], False
    if not totals.has_loader:
        return [begin + ("." if worst else ": nothing wrong was found.")], False
    verdict, fix = _loader_lines(loader, totals)
    return [f"{begin}: {verdict}"] + ([f"  fix: {fix}"] if fix else []), bool(fix)


def closing_lines(totals, loader, findings, log):
    """loader: that the steps waited for, or None. log: the file that was written, or None."""
    if totals.steps == 0:
        return []
    worst = _worst(findings)
    lines, is_slow = _head(totals, loader, worst)
    if worst is not None:
        lines += [f"  {worst.severity}: {worst.message}", f"  fix: {worst.fix}"]
    shown = [part for part in PARTS if totals.share(part) > 0]
    if len(shown) > 1:
        lines.append("  time: " + ", ".join(f"{part} {_percent(totals.share(part))}" for part in shown))
    more = loader_advice.measuring_call(loader, totals) if is_slow else ""
    if more:
        lines.append(f"  more: {more} finds the best setting")
    elif log is not None:
        lines.append(f"  more: batchscope report {log} -o report.html")
    elif worst is not None or is_slow:
        lines.append(f"  more: {worst.doc if worst else 'batchscope help ' + _LOADING}")
    return lines
