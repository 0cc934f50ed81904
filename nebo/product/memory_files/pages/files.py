"""What assistants keep in files about a person, for that person: read, delete, bring back, let agents read."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from nebo.errors import Conflict
from nebo.product.memory_files.files import (
    Folder,
    allow_passages,
    delete_files,
    folder_of,
    get_file,
    list_files,
    list_versions,
    lock_folder,
    purge_file,
    restore_file,
)
from nebo.product.memory_files.holding import list_passages
from nebo.product.memory_files.models import MemoryFile
from nebo.tenants.pages import PageRequest, TenantPage, get_page

PAGE_SIZE = 50
TRASH_SHOWN = 20


class FilesPage(TenantPage):
    """The files, newest first, and the trash."""

    def get(self, request: PageRequest) -> HttpResponse:
        rows = list_files(tenant=self.access.tenant, person_id=self.person.pk).defer("text")
        trash = rows.exclude(deleted_at=None).order_by("-deleted_at")
        shown = {
            "page": get_page(rows.filter(deleted_at=None).order_by("-updated_at"), request, size=PAGE_SIZE),
            "trash": trash[:TRASH_SHOWN],
        }
        return TemplateResponse(request, "memory_files/list.html", shown)


class FilePage(TenantPage):
    """One file: what stands in it, what agents aren't shown of it, and what it said before."""

    def get(self, request: PageRequest, file_id: UUID) -> HttpResponse:
        file = get_file(tenant=self.access.tenant, person_id=self.person.pk, file_id=file_id)
        held = set(file.held)
        shown = {
            "file": file,
            "passages": [(passage, passage in held) for passage in list_passages(file.text)],
            "versions": list_versions(file),
        }
        return TemplateResponse(request, "memory_files/detail.html", shown)


class FileActionPage(TenantPage):
    """A button: does it, says so, and leads on."""

    http_method_names = ["post"]
    done = ""
    leads_to_list = False

    def post(self, request: PageRequest, file_id: UUID) -> HttpResponseBase:
        tenant, person_id = self.access.tenant, self.person.pk
        file = get_file(tenant=tenant, person_id=person_id, file_id=file_id)
        folder = folder_of(file, tenant=tenant, actor=self.access.actor)
        lock_folder(folder)
        file = get_file(tenant=tenant, person_id=person_id, file_id=file_id)
        try:
            self.change(request, folder, file)
        except Conflict as refused:
            messages.error(request, refused.detail)
        else:
            messages.success(request, gettext(self.done))
            if self.leads_to_list:
                return redirect("files:list", self.access.place)
        return redirect("files:detail", self.access.place, file.pk)

    def change(self, request: PageRequest, folder: Folder, file: MemoryFile) -> None:
        """Do it; the folder is held. Raises Conflict."""
        raise NotImplementedError


class DeletePage(FileActionPage):
    """To the trash."""

    done = _("Moved to the trash. No agent reaches it any more.")
    leads_to_list = True

    def change(self, request: PageRequest, folder: Folder, file: MemoryFile) -> None:
        if file.deleted_at is None:
            delete_files(folder, [file])


class RestorePage(FileActionPage):
    """Back from the trash."""

    done = _("It is back.")

    def change(self, request: PageRequest, folder: Folder, file: MemoryFile) -> None:
        if file.deleted_at is not None:
            restore_file(folder, file)


class PurgePage(FileActionPage):
    """Gone for good, from the trash or not."""

    done = _("Deleted for good, with all that it said before.")
    leads_to_list = True

    def change(self, request: PageRequest, folder: Folder, file: MemoryFile) -> None:
        purge_file(folder, file)


class AllowPage(FileActionPage):
    """Let agents read what was held back of exactly this version."""

    done = _("Agents may read all of it now.")

    def change(self, request: PageRequest, folder: Folder, file: MemoryFile) -> None:
        number = request.POST.get("version", "")
        allow_passages(folder, file, number=int(number) if number.isdecimal() else 0)
