"""What could be wrong with a module, one place at a time: a condition turned around, a predicate or a step left out.

The tree is changed rather than the text, so lines keep their numbers. Annotations, messages and the numbers that stand
at the head of a module (decisions, not logic) are left as they are.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

NOT_RUN = ("annotation", "returns", "decorator_list", "type_comment")
NARROWING = ("filter", "exclude", "select_for_update", "distinct")  # calls that may be left out of a chain
WITH_PREDICATES = (*NARROWING, "get", "update", "Q", "create", "get_or_create", "aggregate")
Step = tuple[str, int | None]  # a field, and the place in it where that is a list

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands: the way to it, the statement around it, and the function around that ("" at the head)."""

    node: ast.AST
    path: tuple[Step, ...] = ()
    statement: ast.stmt | None = None
    function: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    def within(self, name: str, at: int | None, child: ast.AST) -> Place:
        inner = replace(self, node=child, path=(*self.path, (name, at)))
        if isinstance(child, ast.stmt):
            inner = replace(inner, statement=child)
        if isinstance(self.node, ast.ClassDef) and name == "body":
            inner = replace(inner, classes=(*self.classes, self.node.name))
        if isinstance(self.node, ast.FunctionDef) and name == "body" and not self.function:
            inner = replace(inner, function=(*self.classes, self.node.name))
        return inner


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that could be wrong, and the lines by which tests that could notice it are known."""

    module: str
    number: int
    line: int
    last_line: int
    function: tuple[str, ...]
    before: str
    after: str
    original: ast.Module = field(repr=False, compare=False)
    place: Place = field(repr=False, compare=False)
    other: ast.AST = field(repr=False, compare=False)

    def tree(self) -> ast.Module:
        """The module with this wrong."""
        changed = copy.deepcopy(self.original)
        _put(changed, self.place.path, copy.deepcopy(self.other))
        for node in ast.walk(changed):
            if isinstance(node, ast.stmt | ast.expr) and not hasattr(node, "lineno"):
                ast.copy_location(node, self.place.node)
        return ast.fix_missing_locations(changed)

    def __str__(self) -> str:
        return f"{self.module}:{self.line}\n    - {self.before}\n    + {self.after}"


def list_changes(module: str, root: Path) -> list[Change]:
    """Every change of a module, always in the same order."""
    tree = ast.parse((root / module).read_text(encoding="utf-8"))
    found: list[Change] = []
    for place in walk(Place(tree)):
        for other in alternatives(place):
            found.append(_change(module, len(found), tree, place, other))
    return found


def walk(place: Place) -> Iterator[Place]:
    """Each node that runs, from the outside in."""
    yield place
    for name, value in ast.iter_fields(place.node):
        if name in NOT_RUN:
            continue
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for at, child in children:
            if isinstance(child, ast.AST) and not _is_for_types(child):
                yield from walk(place.within(name, at, child))


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def alternatives(place: Place) -> Iterator[ast.AST]:
    """What could stand in a node's place."""
    node = place.node
    if isinstance(node, ast.Compare):
        yield from _other_comparisons(node)
    elif isinstance(node, ast.BoolOp):
        yield from _other_conditions(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        yield from _other_sums(node)
    elif isinstance(node, ast.Constant):
        yield from _other_constants(node, at_head=not place.function)
    elif isinstance(node, ast.Call):
        yield from _without_predicates(node)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield from _turned_around(node)
    elif isinstance(node, ast.stmt) and place.function:
        yield from _left_out(node)


def _other_comparisons(node: ast.Compare) -> Iterator[ast.AST]:
    for at, operator in enumerate(node.ops):
        for other in COMPARISONS[type(operator)]:
            yield _with(node, ops=[*node.ops[:at], other(), *node.ops[at + 1 :]])


def _other_conditions(node: ast.BoolOp) -> Iterator[ast.AST]:
    """The other word between them, and each part left out."""
    yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    for at in range(len(node.values)):
        rest = node.values[:at] + node.values[at + 1 :]
        yield _with(node, values=rest) if len(rest) > 1 else rest[0]


def _other_sums(node: ast.BinOp | ast.AugAssign) -> Iterator[ast.AST]:
    if other := OPERATORS.get(type(node.op)):
        yield _with(node, op=other())


def _other_constants(node: ast.Constant, *, at_head: bool) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield _with(node, value=not node.value)
    elif isinstance(node.value, int | float) and not at_head:
        yield _with(node, value=node.value + 1)
        yield _with(node, value=node.value - 1)


def _without_predicates(node: ast.Call) -> Iterator[ast.AST]:
    """A link left out of a chain of queries, or one of its conditions."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called in NARROWING and isinstance(node.func, ast.Attribute):
        yield node.func.value
    if called in WITH_PREDICATES and len(node.args) + len(node.keywords) > 1:
        for at in range(len(node.args)):
            yield _with(node, args=node.args[:at] + node.args[at + 1 :])
        for at in range(len(node.keywords)):
            yield _with(node, keywords=node.keywords[:at] + node.keywords[at + 1 :])


def _turned_around(node: ast.If | ast.IfExp | ast.While) -> Iterator[ast.AST]:
    """Where the condition isn't one that is turned around by itself."""
    if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _left_out(node: ast.stmt) -> Iterator[ast.AST]:
    """A step that isn't taken; a block without what it stands in."""
    is_step = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    sets = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)
    if is_step or sets or isinstance(node, ast.Raise):
        yield ast.Pass()
    elif isinstance(node, ast.With) and not any(item.optional_vars for item in node.items):
        yield ast.If(ast.Constant(value=True), node.body, [])


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _change(module: str, number: int, tree: ast.Module, place: Place, other: ast.AST) -> Change:
    statement = place.statement or place.node
    body = getattr(statement, "body", None)
    first = getattr(statement, "lineno", 1)
    last = body[0].lineno - 1 if isinstance(body, list) else getattr(statement, "end_lineno", first)
    return Change(
        module=module,
        number=number,
        line=first,
        last_line=max(first, last),
        function=place.function,
        before=_shown(place.node),
        after=_shown(other),
        original=tree,
        place=place,
        other=other,
    )


def _put(tree: ast.AST, path: Sequence[Step], other: ast.AST) -> None:
    for name, at in path[:-1]:
        value = getattr(tree, name)
        tree = value if at is None else value[at]
    name, at = path[-1]
    if at is None:
        setattr(tree, name, other)
    else:
        getattr(tree, name)[at] = other


def _shown(node: ast.AST) -> str:
    """Its first line; of a block, that which it begins with."""
    return ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).splitlines()[0]
