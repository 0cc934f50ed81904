"""The form in which a team writes a persona's file: typed, or taken from a file of theirs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from nebo.tenants.forms import VersionedForm
from personality.personas.files import FILE_MAX_CHARS, FileText

MOST_BYTES = 4 * FILE_MAX_CHARS  # of UTF-8


class FileForm(VersionedForm):
    """What is uploaded goes before what is typed."""

    content = forms.CharField(
        label=_("Content"),
        required=False,
        strip=False,
        max_length=FILE_MAX_CHARS,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "true"}),
        help_text=format_lazy(
            _("Markdown, at most {most} characters. Empty removes the file."),
            most=lazy(number_format, str)(FILE_MAX_CHARS, force_grouping=True),
        ),
    )
    upload = forms.FileField(
        label=_("Or take it from a file"),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ".md,.txt,text/markdown,text/plain"}),
    )

    def __init__(self, data: Any = None, files: Any = None, *, held: FileText) -> None:
        super().__init__(data, files, initial={"content": held.content}, version=held.digest)

    def clean_upload(self) -> str | None:
        """The text of what was uploaded."""
        upload: UploadedFile[bytes] | None = self.cleaned_data.get("upload")
        if not upload:
            return None
        if (upload.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                gettext("At most %(most)s characters.")
                % {"most": number_format(FILE_MAX_CHARS, force_grouping=True)}
            )
        try:
            return bytes(upload.read()).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise forms.ValidationError(gettext("This is not UTF-8 text.")) from error

    @property
    def text(self) -> str:
        """What the file is to say."""
        uploaded: str | None = self.cleaned_data["upload"]
        typed: str = self.cleaned_data["content"]
        return typed.replace("\r\n", "\n") if uploaded is None else uploaded
