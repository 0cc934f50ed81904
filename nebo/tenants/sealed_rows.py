"""All that is sealed, of all tenants and logins: counted, and brought under the newest key. For operators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from django.apps import apps
from django.db import models

from nebo.tenants.models import TenantModel
from nebo.tenants.scoping import OPERATOR_ALIAS, operator_scope
from nebo.tenants.sealing import SealedField, Unreadable, is_newest, seal, unseal

SECRETS_OF_LOGINS = ("secret", "seed")  # in the data of an authenticator app, and of recovery codes


@dataclass(slots=True)
class SealedCounts:
    """How many secrets are sealed under the newest key, under an older one, and under none that there is."""

    newest: int = 0
    older: int = 0
    unreadable: dict[str, int] = field(default_factory=dict)  # by table


class Sealed(NamedTuple):
    """One of them; `replace` puts another text in its place, unless somebody else has done so meanwhile."""

    table: str
    text: str
    replace: Callable[[str], None]


def list_sealed_columns() -> Iterator[tuple[type[TenantModel], str]]:
    """Each model with the name of one of its sealed columns."""
    for model in apps.get_models():
        if issubclass(model, TenantModel):
            yield from ((model, one.name) for one in model._meta.get_fields() if isinstance(one, SealedField))


def count_sealed() -> SealedCounts:
    """How it stands; nothing is changed."""
    return _visit(reencrypts=False)


def reencrypt() -> SealedCounts:
    """Seal what is under an older key under the newest one, row by row; `older` is how many that were."""
    return _visit(reencrypts=True)


def _visit(*, reencrypts: bool) -> SealedCounts:
    counts = SealedCounts()
    with operator_scope():
        for one in (*_list_of_tenants(), *_list_of_logins()):
            secret = _count(counts, one)
            if reencrypts and secret:
                one.replace(seal(secret))
    return counts


def _list_of_tenants() -> Iterator[Sealed]:
    for model, column in list_sealed_columns():
        rows = model.unscoped.using(OPERATOR_ALIAS).exclude(**{column: ""})
        for pk, sealed in rows.values_list("pk", column).iterator():
            same = rows.filter(pk=pk, **{column: sealed})
            yield Sealed(model._meta.db_table, sealed, partial(_put, same, column))


def _put(rows: models.QuerySet[Any], column: str, sealed: str) -> None:
    rows.update(**{column: sealed})


def _list_of_logins() -> Iterator[Sealed]:
    """Second factors, in whose JSON the secrets stand by name."""
    model = apps.get_model("mfa", "Authenticator")
    rows = model._default_manager.using(OPERATOR_ALIAS)
    for pk, data in rows.filter(data__has_any_keys=SECRETS_OF_LOGINS).values_list("pk", "data").iterator():
        same = rows.filter(pk=pk, data=data)
        for name in data.keys() & set(SECRETS_OF_LOGINS):
            yield Sealed(model._meta.db_table, data[name], partial(_put_into, same, data, name))


def _put_into(rows: models.QuerySet[Any], data: dict[str, Any], name: str, sealed: str) -> None:
    rows.update(data={**data, name: sealed})


def _count(counts: SealedCounts, one: Sealed) -> str:
    """The secret, where it is under an older key."""
    if is_newest(one.text):
        counts.newest += 1
        return ""
    try:
        secret = unseal(one.text)
    except Unreadable:
        counts.unreadable[one.table] = counts.unreadable.get(one.table, 0) + 1
        return ""
    counts.older += 1
    return secret
