"""The pages of people and things: who memories speak of, and what was folded together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import Count, Window
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.template.response import TemplateResponse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from memories.curation.run import enqueue_curation
from memories.curation.selectors import (
    get_fold,
)
from memories.entity_refs import ENTITY_TYPES
from memories.models import Entity, EntityMerge
from memories.pages.people_reads import read_beside, read_beside_entity
from memories.people.cards import Card, list_about, list_cards, list_entities, list_with_counts
from memories.people.merging import merge_entities, split_entity
from memories.storing.unfolding import undo_fold
from nebo.errors import Conflict, InvalidInput, NotFound
from nebo.tenants.ids import read_id
from nebo.tenants.pages import PageRequest, TenantPage, get_page, go, way_back

PAGE_SIZE = 25  # entities
NOT_POSSIBLE = _("That isn't possible any more; this is how it is now.")


@dataclass(frozen=True, slots=True)
class Line:
    """An entity in the list: its card if it has one, and its other names."""

    entity: Entity
    card: Card | None
    aliases: tuple[Entity, ...]


class EntityListPage(TenantPage):
    """Everyone and everything, how many pairs wait in the inbox, and when it was last tidied."""

    def get(self, request: PageRequest) -> HttpResponse:
        tenant, kind = self.access.tenant, request.GET.get("type", "")
        rows = list_entities(tenant=tenant, person_id=self.person.pk)
        chosen = kind if kind in ENTITY_TYPES else ""
        rows = rows.filter(type=chosen) if chosen else rows
        counted = list_with_counts(rows, tenant=tenant).annotate(total=Window(Count("*")))
        page = get_page(counted, request, size=PAGE_SIZE)
        beside = read_beside(tenant=tenant, person_id=self.person.pk)
        lines = self.list_lines(list(page.object_list), beside.merges)
        shown = {
            "page": page,
            "lines": [lines[entity.pk] for entity in page.object_list],
            "pairs": beside.pairs,
            "types": ENTITY_TYPES,
            "type": chosen,
            "folds": beside.folds,
            "curation": beside.curation,
        }
        return TemplateResponse(request, "people/list.html", shown)

    def list_lines(self, entities: Sequence[Entity], merges: Iterable[EntityMerge]) -> dict[UUID, Line]:
        """Each with its card and other names; one query."""
        cards = {card.entity.pk: card for card in list_cards(tenant=self.access.tenant, entities=entities)}
        names = _group(merges)
        return {e.pk: Line(e, cards.get(e.pk), tuple(names.get(e.pk, ()))) for e in entities}


class EntityScopedPage(TenantPage):
    """A page of one entity of the person."""

    def get_entity(self, entity_id: UUID) -> Entity:
        """One of the person's, merged or not; raises NotFound."""
        rows = Entity.objects.for_tenant(self.access.tenant).select_related("merged_into")
        found = rows.filter(pk=entity_id, person=self.person).first()
        if found is None:
            raise NotFound
        return found

    def address(self, entity: Entity) -> str:
        """Where this entity's page is."""
        return resolve_url("people:detail", self.access.place, entity.pk)


class EntityPage(EntityScopedPage):
    """One entity: its facts, its other names, and what was folded about it."""

    def get(self, request: PageRequest, entity_id: UUID) -> HttpResponseBase:
        entity = self.get_entity(entity_id)
        if entity.merged_into is not None:
            return go(request, self.address(entity.merged_into))
        tenant = self.access.tenant
        facts = list_about(tenant=tenant, person=self.person, entity=entity).annotate(
            total=Window(Count("*"))
        )
        beside = read_beside_entity(tenant=tenant, entity=entity)
        shown = {
            "entity": entity,
            "page": get_page(facts, request, size=PAGE_SIZE),
            "aliases": _group(beside.merges).get(entity.pk, ()),
            "others": beside.others,
            "folds": beside.folds,
        }
        return TemplateResponse(request, "people/detail.html", shown)


class EntityActionPage(EntityScopedPage):
    """A button about people and things: does it, says so, and shows the page it was pressed on."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, **ids: UUID) -> HttpResponseBase:
        try:
            with transaction.atomic():
                back = self.change(request, **ids)
        except (Conflict, InvalidInput):
            messages.error(request, str(NOT_POSSIBLE))
            back = ""
        home = resolve_url("people:list", self.access.place)
        return go(request, back or way_back(request, default=home))

    def change(self, request: PageRequest, **ids: UUID) -> str:
        """Do it; the page to show, or empty for the one it was pressed on. Raises Conflict and InvalidInput."""
        raise NotImplementedError

    def merge(self, request: PageRequest, entity: Entity, into: Entity) -> None:
        """Merge two, with a way back."""
        merge_entities(
            tenant=self.access.tenant, person=self.person, entity=entity, into=into, actor=self.access.actor
        )
        undo = resolve_url("people:split", self.access.place, entity.pk)
        messages.success(
            request,
            gettext("%(name)s is now known as %(other)s.") % {"name": entity.label, "other": into.label},
            extra_tags=undo,
        )


class MergePage(EntityActionPage):
    """Merge by hand: this one is another name of the one chosen."""

    def change(self, request: PageRequest, **ids: UUID) -> str:
        into = self.get_entity(read_id(request.POST.get("into", "")))
        self.merge(request, self.get_entity(ids["entity_id"]), into)
        return self.address(into)


class SplitPage(EntityActionPage):
    """A merged name is one of its own again."""

    def change(self, request: PageRequest, **ids: UUID) -> str:
        entity = self.get_entity(ids["entity_id"])
        split_entity(tenant=self.access.tenant, person=self.person, entity=entity, actor=self.access.actor)
        messages.success(request, gettext("%(name)s stands alone again, as before.") % {"name": entity.label})
        return ""


class UndoFoldPage(EntityActionPage):
    """A fold is taken apart."""

    def change(self, request: PageRequest, **ids: UUID) -> str:
        fold = get_fold(tenant=self.access.tenant, person_id=self.person.pk, fold_id=ids["fold_id"])
        outcome = undo_fold(tenant=self.access.tenant, fold=fold, actor=self.access.actor)
        left = len(outcome["left"])
        back = outcome["restored"]
        told = ngettext(
            "Taken apart: %(number)s memory is back.", "Taken apart: %(number)s memories are back.", back
        ) % {"number": back}
        stayed = gettext("%(number)s stayed as they are, since they were changed in the meantime.")
        messages.success(request, f"{told} {stayed % {'number': left}}" if left else told)
        return ""


class TidyPage(EntityActionPage):
    """Look through the memories now."""

    def change(self, request: PageRequest, **ids: UUID) -> str:
        enqueue_curation(tenant=self.access.tenant, person=self.person, actor=self.access.actor)
        messages.success(request, gettext("Nebo is looking through the memories. Come back in a moment."))
        return ""


def _group(merges: Iterable[EntityMerge]) -> dict[UUID, list[Entity]]:
    """Other names by the entity they lead to in the end, however many merges it took."""
    into = {merge.entity_id: merge for merge in merges}
    names: dict[UUID, list[Entity]] = {}
    for merge in into.values():
        end = merge
        while end.into_id in into:
            end = into[end.into_id]
        names.setdefault(end.into_id, []).append(merge.entity)
    return names
