"""How a run is going, in each place."""

import os
import sys
import types

import pytest

from batchscope._client import progress
from batchscope._client.child import Listener


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(progress, "_on_terminal", lambda: True)


@pytest.fixture
def notebook(monkeypatch):
    """What IPython is to a cell: a list of what is shown."""
    shown = []

    class Handle:
        def update(self, shown_object):
            shown.append(shown_object._repr_html_())

    class ZMQInteractiveShell:
        pass

    display = types.ModuleType("IPython.display")
    display.display = lambda shown_object, display_id: shown.append(shown_object._repr_html_()) or Handle()
    ipython = types.ModuleType("IPython")
    ipython.get_ipython, ipython.display = ZMQInteractiveShell, display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return shown


def feed(shown, *chunks):
    listener = Listener(shown)
    for chunk in chunks:
        listener.feed(chunk)
    listener.end()
    return listener


def test_a_log_file_gets_lines_as_they_come(capsys):
    shown = progress.screen()
    assert type(shown) is progress.Lines
    listener = feed(shown, b"block 1/2\nblo", b"ck 2/2 \xc2", b"\xb1\n")
    assert capsys.readouterr().err == "block 1/2\nblock 2/2 ±\n"
    assert listener.printed == "block 1/2\nblock 2/2 ±\n"


def test_an_error_is_held_with_all_that_follows(capsys):
    listener = feed(progress.Lines(), b"warning: w\nerror: bad\n  because\n")
    assert capsys.readouterr().err == "warning: w\n"
    assert listener.printed.endswith("error: bad\n  because\n")


def test_a_last_line_may_lack_its_end(capsys):
    feed(progress.Lines(), b"one\ntwo")
    assert capsys.readouterr().err == "one\ntwo"


def test_a_terminal_gets_lines_that_are_not_finished(terminal, capsys):
    shown = progress.screen()
    assert type(shown) is progress.Terminal
    listener = Listener(shown)
    listener.feed(b"\r\x1b[Kblock 1/2")
    assert capsys.readouterr().err == "\r\x1b[Kblock 1/2"
    listener.feed(b"; 3 ms\r\x1b[Kwarning: w\nnext")
    assert capsys.readouterr().err == "; 3 ms\r\x1b[Kwarning: w\nnext"


def test_a_terminal_does_not_show_an_error_that_is_raised(terminal, capsys):
    listener = Listener(progress.screen())
    for byte in b"err":
        listener.feed(bytes([byte]))
    listener.feed(b"or: bad\n")
    listener.end()
    assert capsys.readouterr().err == ""
    assert listener.printed == "error: bad\n"


def test_what_only_begins_like_an_error_is_shown(terminal, capsys):
    feed(progress.screen(), b"err", b"atic\n")
    assert capsys.readouterr().err == "erratic\n"


def test_a_notebook_has_one_place_that_is_written_anew(notebook, capsys):
    shown = progress.screen()
    assert type(shown) is progress.Notebook
    feed(shown, b"block 3/12, 5 s <left>\n", b"warning: busy & hot\n")
    assert 'value="3" max="12"' in notebook[1]
    assert "5 s &lt;left&gt;" in notebook[1]
    assert notebook[-1] == "<div>warning: busy &amp; hot</div>"
    assert capsys.readouterr().err == ""


def test_a_standard_error_that_is_closed_is_no_terminal(monkeypatch, tmp_path):
    closed = open(tmp_path / "log", "w")
    closed.close()
    for stream in (closed, None):
        monkeypatch.setattr(sys, "stderr", stream)
        assert type(progress.screen()) is progress.Lines


def test_outside_of_a_notebook_nothing_of_ipython_is_loaded():
    assert not progress.in_notebook()
    assert "IPython" not in sys.modules


def test_the_program_draws_on_a_terminal_of_its_own(terminal):
    reading, writing = progress.open_channel(progress.screen())
    try:
        assert os.isatty(writing)
        os.write(writing, b"a\n")
        assert os.read(reading, 10) == b"a\n"
    finally:
        os.close(reading)
        os.close(writing)


def test_without_a_pseudo_terminal_a_pipe_does(terminal, monkeypatch):
    def none_left():
        raise OSError("out of pty devices")

    monkeypatch.setattr(os, "openpty", none_left)
    for end in progress.open_channel(progress.screen()):
        assert not os.isatty(end)
        os.close(end)
