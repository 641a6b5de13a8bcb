"""What is installed, and what files hold: for run files, and for what a measured setting holds for."""

import hashlib


def installed(names):
    """(name, version) of those of the packages that this interpreter has; none of them is imported."""
    from importlib import metadata

    for name in names:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue


def digest(paths):
    """The SHA-256 of what the files hold, one after the other. Raises OSError."""
    found = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                found.update(block)
    return found.hexdigest()
