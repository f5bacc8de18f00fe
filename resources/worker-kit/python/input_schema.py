"""Tells which inputs a handler declares for the validator of the public SDK: one line of JSON. Nothing of it is run.

The declaration is the second argument of `validate`, or else `INPUT_SCHEMA`. It may stand in the handler or in a file
of the folder from which the handler imports it. Names of types become texts; what only a run could tell is left out.
"""

import ast
import json
import math
import os
import sys

NAME = "INPUT_SCHEMA"
TYPES = {"str", "int", "float", "bool", "list", "dict", "bytes", "tuple", "set", "object"}
DEPTH = 20


class Unknown(Exception):
    """A value that only a run of the program could tell."""


class Module:
    """The constants of a file, and where it imports others from."""

    def __init__(self, file, folders):
        self.file = file
        self.folders = folders
        with open(file, "rb") as source:
            self.tree = ast.parse(source.read(), file)
        self.values = {}
        self.imports = {}
        for node in self.tree.body:
            targets = []
            if isinstance(node, ast.Assign):
                targets = node.targets
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                targets = [node.target]
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = (node, alias.name)
            for target in targets:
                if isinstance(target, ast.Name):
                    self.values[target.id] = node.value

    def lookup(self, name, depth=0):
        """The module with the value of `name`, and its node."""
        if name in self.values:
            return self, self.values[name]
        if name not in self.imports or depth > DEPTH:
            raise Unknown(name)
        node, original = self.imports[name]
        parts = (node.module or "").split(".") if node.module else []
        places = self.folders
        if node.level > 0:
            place = os.path.dirname(self.file)
            for _ in range(node.level - 1):
                place = os.path.dirname(place)
            places = [place]
        for place in places:
            path = os.path.join(place, *parts)
            for file in (path + ".py", os.path.join(path, "__init__.py")):
                if parts and os.path.isfile(file):
                    read.append(os.path.abspath(file))
                    return Module(file, self.folders).lookup(original, depth + 1)
        raise Unknown(name)


def value(module, node, depth=0):
    """The value of a literal, of names of other literals, and of types."""
    if depth > DEPTH:
        raise Unknown("depth")
    if isinstance(node, ast.Constant):
        if isinstance(node.value, float) and not math.isfinite(node.value):
            raise Unknown("no number of JSON")
        if node.value is None or isinstance(node.value, (str, int, float, bool)):
            return node.value
        raise Unknown("constant")
    if isinstance(node, ast.Name):
        try:
            holder, literal = module.lookup(node.id)
        except Unknown:
            if node.id in TYPES:
                return node.id
            raise
        return value(holder, literal, depth + 1)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return [value(module, item, depth + 1) for item in node.elts]
    if isinstance(node, ast.Dict):
        return members(module, node, depth)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        number = value(module, node.operand, depth + 1)
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            return -number if isinstance(node.op, ast.USub) else number
    if isinstance(node, ast.Subscript):
        # list[str] is a list.
        return value(module, node.value, depth + 1)
    raise Unknown(type(node).__name__)


def members(module, node, depth):
    """A dictionary without the members that only a run could tell."""
    result = {}
    for key, item in zip(node.keys, node.values):
        try:
            if key is None:
                more = value(module, item, depth + 1)
                if isinstance(more, dict):
                    result.update(more)
                continue
            name = value(module, key, depth + 1)
            if isinstance(name, str):
                result[name] = value(module, item, depth + 1)
        except Unknown:
            continue
    return result


def declared(module):
    """The names of schemas that the file hands to `validate`, and then the usual name."""
    names = []
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call) or len(node.args) < 2 or not isinstance(node.args[1], ast.Name):
            continue
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None)
        if name == "validate":
            names.append(node.args[1].id)
    return [NAME] + names if NAME in names else names + [NAME]


def main():
    file = os.path.abspath(sys.argv[1])
    read.append(file)
    module = Module(file, [os.path.dirname(file), os.getcwd()])
    answer = {"schema": None, "file": None, "line": None, "problem": None}
    for name in declared(module):
        try:
            holder, node = module.lookup(name)
            schema = value(holder, node)
        except Unknown:
            if name in module.values or name in module.imports:
                answer["problem"] = "%s is made by the program, so it can only be read by a run." % name
            continue
        except (OSError, SyntaxError, ValueError) as error:
            answer["problem"] = "%s cannot be read: %s" % (name, error)
            continue
        if isinstance(schema, dict) and schema:
            answer = {"schema": schema, "file": holder.file, "line": node.lineno, "problem": None}
            break
    print(json.dumps({**answer, "read": read}, allow_nan=False))


read = []
main()
