"""Holds the published JSON Schemas against what the library writes.

published_schema_test.py EXAMPLES_PROGRAM SCHEMA_FOLDER
Exits 77 (skipped) where the jsonschema package is missing.
"""

import copy
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
    import referencing
except ImportError:
    print("skipped: no Python package jsonschema")
    sys.exit(77)

CONFIGURATION = "configuration.schema.json"


def closed(schema):
    """The same schema with no room for fields it does not name, so that a new field is noticed."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if schema.get("$ref", "").startswith(CONFIGURATION):
        result.setdefault("unevaluatedProperties", False)
    elif "properties" in schema and schema.get("type") == "object":
        result.setdefault("additionalProperties", False)
    return result


def closed_parts(configuration):
    """The same, but for the fields that documents have beside those of a configuration."""
    if "properties" not in configuration:
        return configuration
    parts = {name: closed_parts(part) for name, part in configuration.get("$defs", {}).items()}
    return {**configuration, "properties": closed(configuration["properties"]), "$defs": parts}


def validator(folder, schema, close=lambda schema: schema):
    """What holds documents against a schema and against that of configurations, which it refers to."""
    jsonschema.Draft202012Validator.check_schema(schema)
    configuration = json.loads((folder / CONFIGURATION).read_text())
    jsonschema.Draft202012Validator.check_schema(configuration)
    if close is closed:
        configuration = closed_parts(configuration)
    registry = referencing.Registry().with_contents([(CONFIGURATION, configuration)])
    return jsonschema.Draft202012Validator(close(schema), registry=registry)


def load(folder, name):
    schema = json.loads((folder / name).read_text())
    return validator(folder, schema), validator(folder, schema, closed)


def examples(program, what):
    return subprocess.run([program, what], check=True, capture_output=True, text=True).stdout


def property_names(schema):
    """Every field name that the schema knows, wherever it stands."""
    names = set()
    if isinstance(schema, list):
        for item in schema:
            names |= property_names(item)
    elif isinstance(schema, dict):
        names |= set(schema.get("properties", {}))
        for value in schema.values():
            names |= property_names(value)
    return names


def field_names(document):
    names = set()
    if isinstance(document, list):
        for item in document:
            names |= field_names(item)
    elif isinstance(document, dict):
        names |= set(document)
        for value in document.values():
            names |= field_names(value)
    return names


def refusals(document, required):
    """Damaged copies, each of which must be refused."""
    for name in required:
        without = copy.deepcopy(document)
        del without[name]
        yield f"without {name}", without
        wrong = copy.deepcopy(document)
        wrong[name] = {"not": "this"}
        yield f"with a wrong {name}", wrong


def check(failures, condition, message):
    if not condition:
        failures.append(message)


def check_document(failures, open_validator, closed_validator, document, required, label):
    for error in closed_validator.iter_errors(document):
        failures.append(f"{label}: {error.json_path}: {error.message}")
    for what, damaged in refusals(document, required):
        check(failures, not open_validator.is_valid(damaged), f"{label} {what} was accepted")
    extended = {**document, "a_field_of_the_future": 1}
    check(failures, open_validator.is_valid(extended), f"{label}: refuses an unknown field")


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    failures = []

    open_run, closed_run = load(folder, "run-file.schema.json")
    lines = [json.loads(line) for line in examples(program, "run").splitlines()]
    required = {name: part["required"] for name, part in open_run.schema["$defs"].items()}
    for line in lines:
        check_document(failures, open_run, closed_run, line, required[line["type"]], line["type"])
    check(failures, {line["type"] for line in lines} == set(required), "not every type was written")

    open_analysis, closed_analysis = load(folder, "analysis.schema.json")
    document = json.loads(examples(program, "analysis"))
    required = open_analysis.schema["required"]
    check_document(failures, open_analysis, closed_analysis, document,
                   [name for name in required if name != "recommendation"], "analysis")

    open_tuning, closed_tuning = load(folder, "tuning.schema.json")
    search = json.loads(examples(program, "tuning"))
    required = [name for name in open_tuning.schema["required"] if name not in ("recommendation", "default")]
    check_document(failures, open_tuning, closed_tuning, search, required, "tuning")
    both = [open_analysis.schema["$defs"], open_tuning.schema["$defs"]]
    for name in ("tuned_point", "tuned_recommendation"):
        check(failures, both[0][name] == both[1][name], f"the two schemas differ in {name}")

    configuration = json.loads((folder / CONFIGURATION).read_text())
    unused = property_names([configuration, open_run.schema["$defs"], open_analysis.schema["properties"],
                             open_analysis.schema["$defs"]])
    unused -= field_names(lines) | field_names(document)
    check(failures, not unused, f"published but never written: {sorted(unused)}")

    print("\n".join(failures) or f"{len(lines)} lines and 2 documents agree with the schemas")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
