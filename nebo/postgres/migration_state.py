"""Migrating in a third of the time: a new model is drawn without the models that it refers to.

While migrations run, Django keeps classes of all models as they were at each step. When a model is added, it makes the
class of every model anew that is related to it, directly or not: here nearly all of them, since they all lead to a
tenant, and that 80 times. Nothing refers to a model before it is there, so its own class is enough; the reverse side
of its foreign keys is added to the classes that are there, as when an application starts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.migrations.state import ModelState, ProjectState


@contextmanager
def adding_models_alone() -> Iterator[None]:
    """For as long as it lasts, in this process."""
    add_with_related = ProjectState.add_model
    ProjectState.add_model = _add_alone  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        ProjectState.add_model = add_with_related  # type: ignore[method-assign]


def _add_alone(state: ProjectState, model: ModelState) -> None:
    key = (model.app_label, model.name_lower)
    state.models[key] = model
    if state._relations is not None:  # type: ignore[attr-defined]
        state.resolve_model_relations(key)
    if "apps" in state.__dict__:  # asking for it would make it
        state.apps.render_multiple([model])
