"""What is converted by hand, below the ORM, is what the ORM would have made of it: every field of every model."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

from memories.models import Memory
from nebo.postgres import batched_reads, bulk_insert
from nebo.product.governance.models import ExportPart
from nebo.tenants.reads import own_ids
from nebo.tenants.scoping import tenant_scope
from search.models import Chunk
from sessions.context.inputs import CONTEXT_READS, LAST_WORDS
from sessions.context.recall import RESULT_READS
from sessions.models import Message
from sessions.turns.append import LOCKED
from tests.conftest import Team

pytestmark = pytest.mark.django_db

READS = (CONTEXT_READS, LAST_WORDS, RESULT_READS, LOCKED)
WRITTEN = (Message, Chunk, Memory)  # what the product sends so, and one with lists
TEXT = 'Zeile "eins"\\n\nzwei\t\u00df\U0001f436 {a,"b"} \'%s\''
SAMPLES: dict[type[models.Field[Any, Any]], Any] = {
    models.UUIDField: UUID("0190a1b2-0001-7000-8000-00000000abcd"),
    models.DateTimeField: datetime(2023, 5, 8, 13, 56, 0, 120, tzinfo=UTC),
    models.BooleanField: True,
    models.FloatField: 0.1 + 0.2,
    models.JSONField: {"a": [1, None, 2.5, "ü"], "b": {"c": False}},
    models.SmallIntegerField: -32768,
    models.PositiveSmallIntegerField: 32767,
    models.BigIntegerField: 2**62 + 1,
    models.BigAutoField: 2**62 + 3,
    models.PositiveBigIntegerField: 2**62 + 5,
    models.IntegerField: -(2**31),
    models.PositiveIntegerField: 2**31 - 1,
    models.CharField: TEXT,
    models.TextField: TEXT,
}


def sample(field: models.Field[Any, Any]) -> Any:
    if isinstance(field, models.ForeignKey):
        return sample(field.target_field)
    if isinstance(field, ArrayField):
        return [sample(field.base_field), sample(field.base_field)]
    if isinstance(field, models.CharField) and field.max_length:
        return TEXT[: field.max_length]
    return SAMPLES[next(kind for kind in type(field).__mro__ if kind in SAMPLES)]


def make(model: type[models.Model], *, empty: bool = False) -> models.Model:
    """One with a value in every field, or with none wherever none may be."""
    values = {
        field.attname: None if empty and field.null else sample(field)
        for field in model._meta.concrete_fields
    }
    return model(**values)


def read_models(team: Team) -> set[type[models.Model]]:
    with tenant_scope(team.tenant):
        found = [reads.compile(own_ids(team.tenant.pk)).models.values() for reads in READS]
    return {model for part in found for model in part if model}


def values_of(row: models.Model) -> dict[str, Any]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


@pytest.mark.parametrize("empty", [False, True])
def test_every_field_is_read_as_the_orm_reads_it(acme: Team, empty: bool) -> None:
    found = read_models(acme)

    for model in found:
        told = json.dumps(values_of(make(model, empty=empty)), default=str)
        source = f'jsonb_populate_record(NULL::"{model._meta.db_table}", %s) AS row'
        (by_orm,) = model._base_manager.raw(f"SELECT * FROM {source}", [told])
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT row_to_json(row)::text FROM {source}", [told])
            (by_hand,) = batched_reads._instances(model, [json.loads(cursor.fetchone()[0])])
        assert values_of(by_hand) == values_of(by_orm)
        assert {k: type(v) for k, v in vars(by_hand).items()} == {k: type(v) for k, v in vars(by_orm).items()}
    assert Memory in found
    assert len(found) >= 4


@pytest.mark.parametrize("empty", [False, True])
@pytest.mark.parametrize("model", WRITTEN)
def test_every_field_is_sent_as_it_is(db: None, model: type[models.Model], empty: bool) -> None:
    row = make(model, empty=empty)

    pk = "" if any(field.primary_key for field in bulk_insert._sent_fields(model)) else f", {row.pk} AS id"
    (stored,) = model._base_manager.raw(
        f"SELECT *{pk} FROM ({bulk_insert.read_sql(model)}) AS sent", [bulk_insert.document_of([row])]
    )

    sent = {field.attname for field in bulk_insert._sent_fields(model)}
    assert {name: values_of(stored)[name] for name in sent} == {name: values_of(row)[name] for name in sent}


def test_a_kind_of_field_that_is_not_known_is_refused() -> None:
    with pytest.raises(TypeError, match="BinaryField"):
        batched_reads._readers(ExportPart)
    with pytest.raises(TypeError, match="BinaryField"):
        bulk_insert._sent_fields(ExportPart)
