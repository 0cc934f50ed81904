"""`users/{user}/memory-tool/`: Anthropic's memory tool over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.screening.personal import find_refusal
from nebo.api.operations import Operation
from nebo.api.serializers import StrictSerializer, parse
from nebo.api.shapes import like
from nebo.api.views import TenantView
from nebo.errors import Forbidden
from nebo.product.memory_files.commands import COMMANDS, Answer, brings_words, run_command
from nebo.product.memory_files.editing import Impossible, check_size
from nebo.product.memory_files.files import Folder
from nebo.product.memory_files.holding import read_ahead
from nebo.tenants.models import UserProfile
from nebo.tenants.pauses import explain

LONGEST_PATH = 1_000  # characters that are looked at; fewer may stand in a file's
LONGEST_TEXT = 100_000
NEEDED: Mapping[str, tuple[str, ...]] = {
    "view": ("path",),
    "create": ("path", "file_text"),
    "str_replace": ("path", "old_str"),
    "insert": ("path", "insert_line", "insert_text"),
    "delete": ("path",),
    "rename": ("old_path", "new_path"),
}
WRITTEN = ("file_text", "new_str", "insert_text")
SWITCHED_OFF = "User memory is switched off in this workspace."


def _path() -> serializers.CharField:
    return serializers.CharField(max_length=LONGEST_PATH, required=False, trim_whitespace=False)


def _text() -> serializers.CharField:
    return serializers.CharField(
        max_length=LONGEST_TEXT, required=False, allow_blank=True, trim_whitespace=False
    )


class MemoryToolInput(StrictSerializer):
    """What the model asked its tool; each command needs its own of these."""

    example = {"command": "create", "path": "/memories/notes.txt", "file_text": "Prefers tea.\n"}
    command = serializers.ChoiceField(choices=tuple(COMMANDS))
    path = _path()
    view_range = serializers.ListField(
        child=serializers.IntegerField(), min_length=2, max_length=2, required=False, allow_null=True
    )
    file_text = _text()
    old_str = _text()
    new_str = _text()
    insert_line = serializers.IntegerField(required=False)
    insert_text = _text()
    old_path = _path()
    new_path = _path()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        missing = [name for name in NEEDED[attrs["command"]] if name not in attrs]
        if missing:
            raise serializers.ValidationError(dict.fromkeys(missing, f"{attrs['command']} needs it."))
        return attrs


class MemoryToolFields(TypedDict):
    """The result of the tool, as the model takes it."""

    content: Annotated[str, like("File created successfully at: /memories/notes.txt")]
    is_error: Annotated[bool, like(False)]


class MemoryToolView(TenantView):
    """`users/{user}/memory-tool/`: `view` needs `read`, the other commands `write`."""

    subject = "Memory tool"
    scopes = {"POST": "read"}
    operations = {
        "POST": Operation("Run a command of Anthropic’s memory tool", MemoryToolFields, body=MemoryToolInput)
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        fields = parse(MemoryToolInput, request.data)
        if fields["command"] != "view" and "write" not in self.caller.scopes:
            raise Forbidden("This command needs a key with the scope write.")
        for name in WRITTEN:
            if _may_be_kept(text := fields.get(name, "")):
                read_ahead(text)
        return fields

    def post(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        command = prepared.pop("command")
        makes = command == "create" and self.tenant.user_memory
        person = self.get_person(user, create=True) if makes else self.find_person(user)
        if not self.tenant.user_memory:
            return Response(answer_json(Answer(SWITCHED_OFF, is_error=True)))
        pause = self.find_pause(person) if brings_words(command, prepared) else None
        if pause is not None:
            return Response(answer_json(Answer(f"Error: {explain(pause)}", is_error=True)))
        texts = [prepared[name] for name in WRITTEN if name in prepared]
        if refusal := find_refusal(self.tenant.sensitive_classes, *texts):
            return Response(answer_json(Answer(f"Error: {refusal}", is_error=True)))
        folder = self._folder_of(person) if person else None
        return Response(answer_json(run_command(folder=folder, command=command, arguments=prepared)))

    def _folder_of(self, person: UserProfile) -> Folder:
        return Folder(self.caller.tenant_id, person.pk, self.caller.persona_id, self.actor)


def _may_be_kept(text: str) -> bool:
    """Whether it isn't refused for its size."""
    try:
        check_size(text, path="")
    except Impossible:
        return False
    return True


def answer_json(answer: Answer) -> MemoryToolFields:
    """An answer of the tool."""
    return {"content": answer.content, "is_error": answer.is_error}
