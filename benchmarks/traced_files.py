"""What the pages about real traces share: the files of folders, archives unpacked, and what batchscope says of one."""

import argparse
import contextlib
import json
import pathlib
import re
import subprocess
import tarfile
import tempfile

# A public collection names its files after itself; the last is cut from one of HTA's.
LICENCES = {"kineto_": "BSD-3-Clause", "param_": "MIT", "hta_": "MIT", "tracelens_": "MIT", "nsysai_": "MIT",
            "a100_graphs_": "MIT"}
PARTS = ("data_loading", "synchronisation", "launch", "host", "device", "unknown")


def licence_of(path):
    return next((licence for start, licence in LICENCES.items() if path.name.startswith(start)), "not known")


def short_name(path):
    return re.sub(r"(\.trace)?(\.(json|gz|zst|tar|sqlite))+$", "", path.name)


def files_in(folders):
    return [path for folder in folders for path in sorted(pathlib.Path(folder).iterdir()) if path.is_file()]


@contextlib.contextmanager
def unpacked(path):
    """The file itself; of an archive a folder that holds its files."""
    if not path.name.endswith((".tar", ".tar.gz", ".tgz")):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="batchscope-traces-") as scratch:
        folder = pathlib.Path(scratch)
        with tarfile.open(path) as archive:
            for member in filter(tarfile.TarInfo.isfile, archive):
                (folder / pathlib.Path(member.name).name).write_bytes(archive.extractfile(member).read())
        yield folder


def answer_to(program, path):
    """The JSON document, or {"message": the error} where nothing could be read."""
    with unpacked(path) as readable:
        done = subprocess.run([program, "trace", readable, "--format", "json"], capture_output=True, text=True, check=False)
        text = (done.stdout or json.dumps({"message": done.stderr.strip()})).replace(f"{readable}/", "").replace(
            str(readable), path.name)
    return json.loads(text)


def traces_of(answer):
    """Of a job those of its ranks, else the one."""
    return answer.get("ranks") or [answer]


def devices_of(answer):
    return [device for trace in traces_of(answer) for device in trace.get("devices", [])]


def busy_of(devices):
    wall = sum(device["wall_ns"] for device in devices)
    return 100 * (1 - sum(device["idle_ns"] for device in devices) / wall) if wall else None


def share(percent):
    return f"{percent:.0f} %" if percent >= 9.95 or not percent else f"{percent:.1f} %" if percent >= 0.095 else f"{percent:.2f} %"


def escaped(text):
    """Words of a trace as Markdown shows them."""
    return re.sub(r"([\\`*<>|\[\]]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))", r"\\\1", " ".join(text.split()))


def write_page(description, lines_of):
    """Writes the lines of what the command line names: a program and folders of traces; to -o, or to the screen."""
    parser = argparse.ArgumentParser(description=description.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    text = "\n".join(lines_of(options.program, options.folders)) + "\n"
    if options.output:
        options.output.write_text(text)
    else:
        print(text, end="")
