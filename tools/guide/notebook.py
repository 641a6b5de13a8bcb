#!/usr/bin/env python3
"""Executes a notebook that is kept as text, and writes it with what its cells showed as one page.

usage: notebook.py NOTEBOOK.py OUTPUT.html [--short]

Fails where a cell does. Needs jupytext, nbclient, nbconvert and ipykernel, and the package batchscope, in this interpreter.
"""

import argparse
import os
import pathlib
import tempfile

import jupytext
from nbclient import NotebookClient
from nbconvert import HTMLExporter

LONGEST_CELL_S = 900


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("notebook", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--short", action="store_true", help="measure little, to see that every cell still runs")
    options = parser.parse_args()
    if options.short:
        os.environ["NOTEBOOK_LENGTH"] = "short"
    notebook = jupytext.read(options.notebook)
    with tempfile.TemporaryDirectory(prefix="batchscope-notebook-") as folder:
        client = NotebookClient(notebook, timeout=LONGEST_CELL_S, kernel_name="python3",
                                resources={"metadata": {"path": folder}})
        client.execute()
    page, _ = HTMLExporter().from_notebook_node(notebook)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(page)
    print(f"{options.output}: written")


if __name__ == "__main__":
    main()
