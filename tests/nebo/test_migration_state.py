"""Migrating draws a new model alone: what migrations see of a model is what Django itself would show them."""

from __future__ import annotations

from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState, StateApps

from nebo.postgres.migration_state import adding_models_alone


def drawn() -> StateApps:
    """The models after all migrations, where classes were made from the first of them on."""
    loader = MigrationLoader(None)
    state = ProjectState()
    with adding_models_alone():
        assert state.apps
        for key in loader.graph._generate_plan(nodes=loader.graph.leaf_nodes(), at_end=True):
            state = loader.graph.nodes[key].mutate_state(state, preserve=False)
    return state.apps


def told(apps: StateApps) -> dict[str, list[tuple[str, str, str]]]:
    """Of each model its fields and what leads to it: name, kind and the model at the other end."""
    return {
        model._meta.label: sorted(
            (one.name, type(one).__name__, one.related_model._meta.label if one.related_model else "")
            for one in model._meta.get_fields(include_hidden=True)
        )
        for model in apps.get_models(include_auto_created=True)
    }


def test_models_are_as_django_draws_them_all_at_once() -> None:
    alone, at_once = told(drawn()), told(MigrationLoader(None).project_state().apps)

    assert alone == at_once
    assert len(alone) > 50


def test_what_models_refer_to_is_the_class_that_is_there() -> None:
    apps = drawn()

    strange = [
        f"{model._meta.label}.{one.name}"
        for model in apps.get_models(include_auto_created=True)
        for one in model._meta.get_fields(include_hidden=True)
        if one.related_model and one.related_model is not apps.get_model(one.related_model._meta.label)
    ]

    assert strange == []


def test_afterwards_django_adds_models_as_before() -> None:
    before = ProjectState.add_model

    with adding_models_alone():
        assert ProjectState.add_model is not before

    assert ProjectState.add_model is before
