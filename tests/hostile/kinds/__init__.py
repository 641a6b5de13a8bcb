"""A module for each kind of try; `make(rng, corpus)` makes one. SHARES says how many of a hundred are of which kind."""

from . import arrivals, configs, flags, models, names, runs, signals, surroundings, tables

MAKERS = {
    "runs": runs.make,
    "tables": tables.make,
    "arrivals": arrivals.make,
    "configs": configs.make,
    "flags": flags.make,
    "surroundings": surroundings.make,
    "names": names.make,
    "models": models.make,
    "signals": signals.make,
}
SHARES = {"runs": 27, "tables": 12, "arrivals": 8, "configs": 8, "flags": 20, "surroundings": 10, "names": 9, "models": 3, "signals": 3}


def counts(tries):
    """How many of each kind, all of them together `tries`; every kind once if there are enough."""
    found = {kind: max(1, tries * share // 100) for kind, share in SHARES.items()}
    found["runs"] = max(0, found["runs"] + tries - sum(found.values()))
    return found
