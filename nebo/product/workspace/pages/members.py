"""The pages of a team's members and invitations, for owners and admins. To everyone else they don't exist."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from nebo.errors import Conflict, Forbidden, InvalidInput
from nebo.languages import in_sentence
from nebo.product.workspace.forms import InviteForm, RoleForm, StandForForm
from nebo.product.workspace.invitations import NewInvitation, invite, list_open, take_back
from nebo.product.workspace.members import change_role, get_member, list_members, remove_member, stand_for
from nebo.product.workspace.roles import may_give
from nebo.tenants.pages import PageRequest, TenantPage

LIST = "members:list"


class MemberPage(TenantPage):
    """What all of them share."""

    needs_person = False
    needs_manager = True

    @property
    def own_role(self) -> str:
        return self.membership.role

    def back(self) -> HttpResponseBase:
        return redirect(LIST, self.access.place)


class MembersPage(MemberPage):
    """Members, open invitations, and the form for a new one."""

    def get(self, request: PageRequest) -> HttpResponse:
        return self.draw(request, InviteForm(own_role=self.own_role, label_suffix=""))

    def post(self, request: PageRequest) -> HttpResponseBase:
        form = InviteForm(request.POST, own_role=self.own_role, label_suffix="")
        if not form.is_valid():
            return self.draw(request, form, status=422)
        try:
            issued = invite(
                tenant=self.access.tenant,
                own_role=self.own_role,
                actor=self.access.actor,
                created_by=request.user,
                new=NewInvitation(**form.cleaned_data),
            )
        except (Conflict, InvalidInput) as refused:
            form.add_error("person", refused.detail)
            return self.draw(request, form, status=422)
        link = f"{request.build_absolute_uri(reverse('join'))}#{issued.token}"
        shown = {"invitation": issued.invitation, "link": link}
        return TemplateResponse(request, "workspace/invited.html", shown)

    def draw(self, request: PageRequest, form: InviteForm, status: int = 200) -> HttpResponse:
        """The lists with the form, again with what was wrong."""
        tenant = self.access.tenant
        shown = {
            "form": form,
            "members": list_members(tenant=tenant),
            "invitations": [
                (one, may_give(own=self.own_role, role=one.role)) for one in list_open(tenant=tenant)
            ],
        }
        return TemplateResponse(request, "workspace/members.html", shown, status=status)


class MemberDetailPage(MemberPage):
    """One member: the role, whom the login stands for, and the way out."""

    def get(self, request: PageRequest, membership_id: UUID) -> HttpResponse:
        return self.draw(request, membership_id)

    def draw(
        self, request: PageRequest, membership_id: UUID, status: int = 200, **forms: Any
    ) -> HttpResponse:
        """The page, again with what was wrong."""
        member = get_member(tenant=self.access.tenant, membership_id=membership_id)
        role = member.membership.role
        shown = {
            "member": member,
            "may_change": may_give(own=self.own_role, role=role),
            "role_form": RoleForm(own_role=self.own_role, initial={"role": role}, label_suffix=""),
            "person_form": StandForForm(label_suffix=""),
            **forms,
        }
        return TemplateResponse(request, "workspace/member.html", shown, status=status)


class RolePage(MemberDetailPage):
    """Give another role."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, membership_id: UUID) -> HttpResponseBase:
        member = get_member(tenant=self.access.tenant, membership_id=membership_id)
        form = RoleForm(request.POST, own_role=self.own_role, label_suffix="")
        if not form.is_valid():
            return self.draw(request, membership_id, status=422, role_form=form)
        try:
            changed = change_role(
                tenant=self.access.tenant,
                membership_id=membership_id,
                role=form.cleaned_data["role"],
                own_role=self.own_role,
                actor=self.access.actor,
            )
        except (Conflict, Forbidden) as refused:
            form.add_error("role", refused.detail)
            return self.draw(request, membership_id, status=422, role_form=form)
        label = in_sentence(changed.get_role_display())
        messages.success(
            request, _("%(who)s is now %(role)s.") % {"who": member.membership.user, "role": label}
        )
        return self.back()


class RemovePage(MemberDetailPage):
    """Take somebody out of the team."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, membership_id: UUID) -> HttpResponseBase:
        member = get_member(tenant=self.access.tenant, membership_id=membership_id)
        try:
            keys = remove_member(
                tenant=self.access.tenant,
                membership_id=membership_id,
                own_role=self.own_role,
                actor=self.access.actor,
            )
        except (Conflict, Forbidden) as refused:
            messages.error(request, refused.detail)
            return self.back()
        messages.success(
            request, _("%(who)s doesn’t belong to the team any more.") % {"who": member.membership.user}
        )
        if keys:
            messages.warning(
                request,
                _("Keys they made that still work: %(keys)s. Rotate those they may know.") % {"keys": keys},
            )
        own = member.membership.user_id == request.user.pk
        return redirect("dashboard:start") if own else self.back()


class StandForPage(MemberDetailPage):
    """Say whom a member is to agents."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, membership_id: UUID) -> HttpResponseBase:
        get_member(tenant=self.access.tenant, membership_id=membership_id)
        form = StandForForm(request.POST, label_suffix="")
        if form.is_valid():
            try:
                person = stand_for(
                    tenant=self.access.tenant,
                    membership_id=membership_id,
                    actor=self.access.actor,
                    **form.cleaned_data,
                )
            except (Conflict, InvalidInput) as refused:
                form.add_error("person", refused.detail)
            else:
                messages.success(request, _("Linked to %(person)s.") % {"person": person})
                return self.back()
        return self.draw(request, membership_id, status=422, person_form=form)


class TakeBackPage(MemberPage):
    """End an invitation."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, invitation_id: UUID) -> HttpResponseBase:
        try:
            take_back(
                tenant=self.access.tenant,
                invitation_id=invitation_id,
                own_role=self.own_role,
                actor=self.access.actor,
            )
        except Forbidden as refused:
            messages.error(request, refused.detail)
        else:
            messages.success(request, _("The invitation is taken back. Its link opens nothing any more."))
        return self.back()
