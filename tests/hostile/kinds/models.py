"""Model files that are none: empty, torn, of another kind, with hostile names."""

from .. import byte_changes, names
from ..tries import Try

_ENDINGS = [b".pt", b".pt2", b".onnx", b".xml", b".bin", b".json", b""]
_CONTENTS = [
    b"", b"\0" * 100, b"PK\x03\x04" + b"\0" * 26, b"PK\x05\x06" + b"\0" * 18, b"\x80\x02}q\0.", b"\x08\x07\x12\x07pytorch", b"\x7fELF", b"<?xml version=\"1.0\"?>\n<net/>",
    b"<?xml version=\"1.0\"?><net name=\"x\" version=\"11\"><layers><layer id=\"0\"/></layers></net>", b"{}", b"not a model\n" * 100,
    b"<!DOCTYPE a [<!ENTITY b \"" + b"c" * 1000 + b"\">]><a>&b;&b;</a>", b"\xff" * 5000,
]


def make(rng, _):
    data, _done = byte_changes.change(rng, rng.choice(_CONTENTS), rng.choice([1, 2]))
    name = rng.choice([b"model", b"model", names.file_name(rng)[:100]]) + rng.choice(_ENDINGS)
    arguments = ["profile", "-m", rng.choice([b"", b"./"]) + name, "-b", "1", "--blocks", "1", "--iterations", "1", "-q",
                 *rng.choice([["--input", "x:Bx4"], ["--input", "x:Bx4:int64=0-9"], []]), *rng.choice([[], ["--dry-run"], ["--engine", "synthetic"]])]
    # An engine reserves more addresses than any limit that would mean something.
    return Try(f"a model file {name[-5:]!r}", arguments, {name: data}, unlimited_memory=True)
