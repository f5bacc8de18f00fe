"""Tells what a handler needs that this Python does not have: one line of JSON. Nothing of the handler is run.

`modules`: the modules that its file imports and that are missing. Only what it imports in any case counts: an import
within `try`, `if` or a function may be meant to fail. `hasRequirements`: whether all packages of requirements.txt are
installed; false where a line of it cannot be judged, and true without such a file. `problem`: why the file is no
Python, such as a missing colon; else null.
"""

import ast
import importlib.metadata
import importlib.util
import json
import os
import re
import sys

# The worker has a stand-in for the public SDK.
STAND_IN = "runpod"


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


def missing_modules(file):
    with open(file, "rb") as source:
        tree = ast.parse(source.read(), file)
    names = dict.fromkeys(name.split(".")[0] for name in imported(tree))
    return [name for name in names if name != STAND_IN and is_missing(name)]


def requirement_class():
    """The class that reads a line of requirements; None where this Python has none."""
    try:
        from packaging.requirements import Requirement
    except ImportError:
        try:
            from pip._vendor.packaging.requirements import Requirement
        except ImportError:
            return None
    return Requirement


def has_package(name, specifier):
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return specifier is None or specifier.contains(version, prereleases=True)


def is_met(line):
    text = re.sub(r"(^|\s)#.*", "", line).strip()
    if text in ("", STAND_IN):
        return True
    if re.fullmatch(r"[A-Za-z0-9][\w.-]*", text):
        return has_package(text, None)
    Requirement = requirement_class()
    if Requirement is None:
        return False
    try:
        requirement = Requirement(text)
    except ValueError:
        # An option, a path or an address.
        return False
    if requirement.marker is not None and not requirement.marker.evaluate():
        return True
    if requirement.url is not None or requirement.extras:
        return False
    return has_package(requirement.name, requirement.specifier)


def has_requirements():
    try:
        with open("requirements.txt", encoding="utf-8") as lines:
            return all(is_met(line) for line in lines)
    except FileNotFoundError:
        return True
    except (OSError, UnicodeDecodeError):
        return False


def main():
    file = sys.argv[1]
    sys.path[0] = os.path.dirname(os.path.abspath(file))
    sys.path.insert(1, os.getcwd())
    modules, problem = [], None
    try:
        modules = missing_modules(file)
    except SyntaxError as error:
        problem = f"{type(error).__name__}: {error.msg} (line {error.lineno})"
    print(json.dumps({"modules": modules, "hasRequirements": has_requirements(), "problem": problem}))


main()
