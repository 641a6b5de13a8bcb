"""Changes to a file that know nothing of its format."""


def flip_bits(rng, data):
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8, 64])):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut_the_end(rng, data):
    return data[: rng.randrange(len(data) + 1)]


def cut_the_front(rng, data):
    return data[rng.randrange(len(data) + 1):]


def drop_a_range(rng, data):
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.choice([1, 2, 10, 1000]):]


def repeat_a_range(rng, data):
    start, length = rng.randrange(len(data) + 1), rng.choice([1, 5, 50, 500])
    return data[: start + length] + data[start: start + length] * rng.choice([1, 3, 100]) + data[start + length:]


def insert_bytes(rng, data):
    at = rng.randrange(len(data) + 1)
    inserted = rng.choice([b"\0", b"\0" * 4096, b"\xff", b"\x1b[31m", b"\r", b"\n", b"\n\n\n", b",", b'"', b"{", b"}", b"[" * 1000, b"\xef\xbb\xbf",
                           b" " * 10000, b"9" * 30, rng.randbytes(16), rng.randbytes(1000)])
    return data[:at] + inserted + data[at:]


def _lines(change):
    def of_lines(rng, data):
        lines = data.split(b"\n")
        change(rng, lines)
        return b"\n".join(lines)

    of_lines.__name__ = change.__name__
    return of_lines


@_lines
def swap_lines(rng, lines):
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]


@_lines
def repeat_a_line(rng, lines):
    i = rng.randrange(len(lines))
    lines[i:i] = [lines[i]] * rng.choice([1, 1, 2, 500])


@_lines
def drop_a_line(rng, lines):
    del lines[rng.randrange(len(lines))]


@_lines
def move_a_line(rng, lines):
    line = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), line)


@_lines
def shuffle_lines(rng, lines):
    rng.shuffle(lines)


@_lines
def tear_a_line(rng, lines):
    i = rng.randrange(len(lines))
    lines[i] = lines[i][: rng.randrange(len(lines[i]) + 1)]


@_lines
def join_lines(rng, lines):
    if len(lines) > 1:
        i = rng.randrange(len(lines) - 1)
        lines[i: i + 2] = [lines[i] + lines[i + 1]]


def carriage_returns(_, data):
    return data.replace(b"\n", b"\r\n")


def byte_order_mark(_, data):
    return b"\xef\xbb\xbf" + data


def twice(_, data):
    return data + data


def wide_characters(_, data):
    return data.decode("latin-1").encode("utf-16")


def something_else(rng, _):
    return rng.choice([b"", b"\n", b"\0" * 1000, b"\x1f\x8b\x08", b"PK\x03\x04", b"\x7fELF", b"{}", b"[]", b"null\n", b"{" * 50_000, b"[" * 50_000,
                       b'"' + b"a" * 1_000_000, b"\n" * 100_000, b"<html></html>", rng.randbytes(500)])


CHANGES = [
    flip_bits, flip_bits, cut_the_end, cut_the_front, drop_a_range, repeat_a_range, insert_bytes, insert_bytes, swap_lines, repeat_a_line,
    drop_a_line, move_a_line, shuffle_lines, tear_a_line, join_lines, carriage_returns, byte_order_mark, twice, wide_characters, something_else,
]


def change(rng, data, times=None):
    """(the changed bytes, what was done in words)"""
    done = []
    for _ in range(times or rng.choice([1, 1, 1, 2, 4])):
        one = rng.choice(CHANGES)
        data = one(rng, data)
        done.append(one.__name__.replace("_", " "))
    return data, ", ".join(done)
