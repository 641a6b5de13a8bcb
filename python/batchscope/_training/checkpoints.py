"""Checkpoints of a training: each a folder that is complete or is not there.

A folder step-000000123 holds files and manifest.json, which has their sizes and digests and is written last. It is written under
another name, renamed, and read back before the oldest goes."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import warnings

import torch

from batchscope._errors import InputError, MeasurementError, UsageError

MANIFEST = "manifest.json"
FORMAT = 1
_NAME = re.compile(r"step-(\d{9,})")
_CHUNK = 1 << 22


class _Hashing:
    """A file to write to that knows the digest of what was written."""

    def __init__(self, file):
        self._file, self.digest, self.size, self.failure = file, hashlib.sha256(), 0, None

    def write(self, data):
        data = memoryview(data).cast("B")
        try:
            self._file.write(data)
        except OSError as raised:
            self.failure = raised
            raise
        self.digest.update(data)
        self.size += len(data)
        return len(data)

    def flush(self):
        self._file.flush()


def _sync_folder(folder):
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write(path, write):
    """Writes a file and waits until it is on the disk; its size and digest."""
    with open(path, "xb") as file:
        hashing = _Hashing(file)
        try:
            write(hashing)
        except RuntimeError:
            # torch.save says that it is at another position than it thought.
            if hashing.failure is None:
                raise
            raise hashing.failure from None
        file.flush()
        os.fsync(file.fileno())
        # What is read back is to come from the disk, where the system does so.
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return {"bytes": hashing.size, "sha256": hashing.digest.hexdigest()}


def _digest_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


class Checkpoint:
    """A complete one: its manifest, and its files as they were saved."""

    def __init__(self, path, manifest):
        self.path, self.manifest = path, manifest

    def load(self, name, mmap=False):
        try:
            return torch.load(self.path / f"{name}.pt", map_location="cpu", weights_only=True, mmap=mmap)
        except Exception as raised:
            raise InputError(f"cannot load {self.path}/{name}.pt: {raised}") from raised


def read(path):
    """The checkpoint in a folder. InputError: it is cut, changed, or of another format; what is wrong is named."""
    try:
        manifest = json.loads((path / MANIFEST).read_text())
        files = manifest["files"]
        if manifest["format"] != FORMAT:
            raise InputError(f"{path} has format {manifest['format']}; this version reads format {FORMAT}")
        for name, facts in files.items():
            size = (path / name).stat().st_size
            if size != facts["bytes"]:
                raise InputError(f"{path / name} has {size} bytes instead of {facts['bytes']}")
            if _digest_of(path / name) != facts["sha256"]:
                raise InputError(f"{path / name} has changed: its digest is wrong")
    except OSError as raised:
        raise InputError(f"{path} is not complete: {raised.strerror}: {raised.filename}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{path / MANIFEST} is not a checkpoint's manifest") from None
    return Checkpoint(path, manifest)


class Checkpoints:
    """The checkpoints in a folder, at most `keep` of them."""

    def __init__(self, folder, keep=3):
        if keep < 1:
            raise UsageError(f"keep has to be at least 1, not {keep}")
        self.folder, self.keep = pathlib.Path(folder), keep

    def paths(self):
        """The newest first, complete or not."""
        if not self.folder.is_dir():
            return []
        found = [path for path in self.folder.iterdir() if _NAME.fullmatch(path.name) and path.is_dir()]
        return sorted(found, key=lambda path: int(_NAME.fullmatch(path.name).group(1)), reverse=True)

    def sweep(self):
        """Removes what a process that was killed while it wrote has left."""
        for path in self.folder.glob(".writing-*"):
            shutil.rmtree(path, ignore_errors=True)

    def newest(self, accepts=lambda manifest: True):
        """The newest complete checkpoint whose manifest is accepted, or None; damaged ones are skipped with a warning."""
        for path in self.paths():
            try:
                found = read(path)
            except InputError as raised:
                warnings.warn(f"skipped a damaged checkpoint: {raised}", RuntimeWarning, stacklevel=3)
                continue
            if accepts(found.manifest):
                return found
        return None

    def set_aside_after(self, found):
        """Gives damaged ones that are newer other names, so that what is trained again takes their place."""
        for path in self.paths():
            if path == found.path:
                break
            aside = path.with_name(f"damaged-{path.name}")
            shutil.rmtree(aside, ignore_errors=True)
            path.rename(aside)

    def write(self, step, contents, facts):
        """Saves {name: what torch.save takes} as the checkpoint of a step; its folder. facts: "is_good", and what else the
        manifest has. Only after a good one the oldest go.

        MeasurementError: it could not be written, or cannot be read back. Those that were there are still there."""
        final = self.folder / f"step-{step:09d}"
        writing = self.folder / f".writing-{final.name}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(writing, ignore_errors=True)
            writing.mkdir()
            files = {f"{name}.pt": _write(writing / f"{name}.pt", lambda file, saved=saved: torch.save(saved, file))
                     for name, saved in contents.items()}
            manifest = json.dumps({"format": FORMAT, "step": step, "files": files, **facts}, indent=1)
            _write(writing / MANIFEST, lambda file: file.write(manifest.encode()))
            _sync_folder(writing)
            shutil.rmtree(final, ignore_errors=True)  # of the same step, and damaged: a complete one is not written again
            writing.rename(final)
            _sync_folder(self.folder)
            self._check(final, contents)
        except (OSError, RuntimeError, InputError) as raised:
            shutil.rmtree(writing, ignore_errors=True)
            kept = self.paths()
            raise MeasurementError(f"cannot save the checkpoint of step {step} to {self.folder}: {raised}; " + (
                f"{kept[0].name} is still there" if kept else "there is no older one")) from raised
        for path in self.paths()[self.keep:] if facts["is_good"] else ():
            shutil.rmtree(path, ignore_errors=True)
        return final

    @staticmethod
    def _check(path, names):
        """Reads back what was written; what cannot be read does not stay."""
        try:
            written = read(path)
            for name in names:
                written.load(name, mmap=True)
        except Exception:
            shutil.rmtree(path, ignore_errors=True)
            raise
