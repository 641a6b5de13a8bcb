"""How a run is going, shown as fits the place: a terminal, a notebook, a log file."""

import html
import os
import re
import sys

_CONTROL = re.compile(r"\r|\x1b\[[0-9;]*[A-Za-z]")
_COUNT = re.compile(r"(\d+)/(\d+)")
_ERROR = "error: "


class Lines:
    """A log file: every line as it comes. An error that the program ends with becomes an exception, so it is held."""

    def __init__(self):
        self.held = []

    def feed(self, text):
        """Complete lines."""
        for line in text.splitlines(keepends=True):
            if self.held or _CONTROL.sub("", line).startswith(_ERROR):
                self.held.append(_CONTROL.sub("", line))
            else:
                self.show(line)

    def show(self, line):
        sys.stderr.write(line)
        sys.stderr.flush()

    def end(self):
        pass


class Terminal(Lines):
    """The program draws for a terminal; its unfinished lines are passed on, too."""

    def __init__(self):
        super().__init__()
        self.open = ""

    def feed(self, text):
        full, newline, rest = (self.open + text).rpartition("\n")
        if newline:
            super().feed((full + newline)[len(self.shown()):])
            self.open = ""
        if rest:
            self._begin(rest)

    def shown(self):
        """What is on the screen of the line that is not finished yet."""
        return "" if _ERROR.startswith(self.open[:len(_ERROR)]) else self.open

    def _begin(self, rest):
        before = len(self.shown())
        self.open = rest
        if not self.held and self.shown():
            self.show(rest[before:])


class Notebook(Lines):
    """One place below the cell that is written anew, with a bar; warnings stay below it."""

    def __init__(self):
        super().__init__()
        from IPython.display import display

        self.warnings, self.line = [], ""
        self.handle = display(self, display_id=True)

    def show(self, line):
        text = _CONTROL.sub("", line).strip()
        if text.startswith("warning: "):
            self.warnings.append(text)
        elif text:
            self.line = text
        self.handle.update(self)

    def end(self):
        self.line = ""
        self.handle.update(self)

    def _bar(self):
        count = _COUNT.search(self.line)
        if count is None:
            return ""
        return f'<progress value="{count[1]}" max="{count[2]}" style="vertical-align: middle"></progress> '

    def _repr_html_(self):
        rows = [f"<div>{self._bar()}{html.escape(self.line)}</div>"] if self.line else []
        return "".join(rows + [f"<div>{html.escape(each)}</div>" for each in self.warnings]) or "<div></div>"

    def __repr__(self):
        return "\n".join(([self.line] if self.line else []) + self.warnings)


def in_notebook():
    """Whether this is a cell of a notebook; IPython is asked only where it is there already."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def _on_terminal():
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except ValueError:
        return False  # closed


def screen():
    """What suits the place."""
    if in_notebook():
        return Notebook()
    return Terminal() if _on_terminal() else Lines()


def open_channel(shown):
    """Two ends of what the program's standard error goes through: (read, write)."""
    if not isinstance(shown, Terminal):
        return os.pipe()
    try:
        return _pseudo_terminal()
    except OSError:
        return os.pipe()  # none to be had in some containers


def _pseudo_terminal():
    """The program draws on a terminal of its own, so that it can be read what it says beside."""
    import termios

    reading, writing = os.openpty()
    modes = termios.tcgetattr(writing)
    modes[1] &= ~termios.OPOST  # the real one turns \n into \r\n
    termios.tcsetattr(writing, termios.TCSANOW, modes)
    return reading, writing
