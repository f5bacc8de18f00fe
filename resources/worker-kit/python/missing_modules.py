"""Tells which modules a file imports that this Python does not have: one line of JSON. Nothing of the file is run.

Only what it imports in any case counts: an import within `try`, `if` or a function may be meant to fail.
"""

import ast
import importlib.util
import json
import os
import sys


def imported(tree):
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module


def is_missing(name):
    try:
        return importlib.util.find_spec(name) is None
    except (ImportError, ValueError):
        return False


def main():
    file = sys.argv[1]
    sys.path[0] = os.path.dirname(os.path.abspath(file))
    sys.path.insert(1, os.getcwd())
    with open(file, "rb") as source:
        tree = ast.parse(source.read(), file)
    names = dict.fromkeys(name.split(".")[0] for name in imported(tree))
    # The worker has a stand-in for the public SDK.
    print(json.dumps([name for name in names if name != "runpod" and is_missing(name)]))


main()
