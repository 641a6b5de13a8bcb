"""What holds documents against their published JSON Schemas: the loader of the library's own test."""

import importlib.util

from conftest import ROOT

SCHEMAS = ROOT / "docs/reference/schema"


def _library_test():
    spec = importlib.util.spec_from_file_location("library_test", ROOT / "libs/showing/report/tests/json/published_schema_test.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


published = _library_test()


def load(name):
    """Validators of a document: as it is published, and with no room for fields it does not name."""
    return published.load(SCHEMAS, f"{name}.schema.json")
