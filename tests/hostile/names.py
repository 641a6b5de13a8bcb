"""Names and texts that mean something to a terminal, a browser, a spreadsheet, a shell, a plotter or a file system."""

MARK = "hostile-mark"

TERMINAL = [
    b"\x1b[31mred\x1b[0m", b"\x1b]0;title\x07", b"\x1b[2J\x1b[H", b"\x1bP0;1|17/ab\x1b\\", b"\x9b31mred", b"\x9d0;title\x9c",
    "\u009b31mred".encode(), "\u0085next".encode(), "\u0090x\u009c".encode(), b"\x07\x08\x08\x7f", b"a\rb", b"a\nb", b"a\tb", b"a\x0b\x0cb",
    b"error: \x1b[1mforged", b"a\nerror: forged line",
]
BROWSER = [
    b"</script><script>alert('hostile-mark')</script>", b"<img src=x onerror=alert('hostile-mark')>", b"<!--", b"-->", b"<!--<script>",
    b"\"><svg onload=alert('hostile-mark')>", b"' onmouseover='alert(1)", b"]]>", b"&lt;script&gt;", b"javascript:alert('hostile-mark')",
    b"</style><style>*{display:none}", b"</title><b>", b"[x](javascript:alert(1))", b"| a | b |", b"```\n# head", b"![x](http://x.invalid/)",
]
SPREADSHEET = [b"=1+1", b"=cmd|' /C calc'!A0", b"+1+1", b"-1+1", b"@SUM(1)", b"\t=1+1", b'"=1+1"', b'a,"b', b'a"b', b";=1+1", b"=HYPERLINK(\"x\")"]
SHELL = [
    b"$(touch pwned)", b"`touch pwned`", b"; touch pwned", b"| touch pwned", b"\" ; system(\"touch pwned\") ; \"", b"'; system 'touch pwned'; '",
    b"\"; !touch pwned\n", b"@{touch pwned}", b"%s%n%p", b"{0}{}", b"{/Symbol a}", b"a\\nb", b"\\", b"'", b"\"", b"x_1^2 & ~{a}{b}", b"${HOME}",
]
UNICODE = [
    b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xc0\xaf", b"abc\xe2\x82", "\u202egnp.exe".encode(),
    "\ufeffbom".encode(), "e\u0301".encode(), ("e" + "\u0301" * 500).encode(), "👩‍👩‍👧‍👦".encode(), "\u0000".encode(), "\U0010ffff".encode(), "\u2028".encode(),
]
LENGTHS = [b"", b" ", b"a" * 255, b"a" * 256, b"a" * 5000, b"x" * 100_000, b"\n" * 50, "日".encode() * 200]
PATHS = [b"..", b".", b"../outside", b"../../outside", b"/", b"a/../../outside", b"-", b"--", b"-rf", b"--help", b"CON", b"a/b", b"a\\b", b"~", b"*", b"?"]

ALL = TERMINAL + BROWSER + SPREADSHEET + SHELL + UNICODE + LENGTHS + PATHS


def some(rng):
    """One of them, or two glued together."""
    name = rng.choice(rng.choice([TERMINAL, BROWSER, SPREADSHEET, SHELL, UNICODE, LENGTHS, PATHS]))
    return name + rng.choice(ALL)[:2000] if rng.random() < 0.2 else name


def argument(rng):
    """An argument of a program holds no NUL and is at most 128 KiB long."""
    return some(rng).replace(b"\0", b"")


def file_name(rng):
    """One component of a path, that can be made."""
    name = argument(rng).replace(b"/", b"_")[:200]
    return name if name not in (b"", b".", b"..") else b"dots"
