"""The usage page has words of its own for every operation of the API."""

from __future__ import annotations

from nebo.api.schema import list_operations, make_document
from nebo.product.workspace.usage.operation_words import OPERATION_WORDS


def test_every_operation_of_the_document_is_marked_for_translation_and_nothing_else() -> None:
    summaries = {operation["summary"] for _path, _method, operation in list_operations(make_document())}

    assert sorted(OPERATION_WORDS) == sorted(summaries)
