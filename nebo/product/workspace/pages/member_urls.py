"""Addresses under /t/<tenant>/members/."""

from django.urls import path

from nebo.product.workspace.pages import members

app_name = "members"
urlpatterns = [
    path("", members.MembersPage.as_view(), name="list"),
    path("<uuid:membership_id>/", members.MemberDetailPage.as_view(), name="detail"),
    path("<uuid:membership_id>/role/", members.RolePage.as_view(), name="role"),
    path("<uuid:membership_id>/person/", members.StandForPage.as_view(), name="stand_for"),
    path("<uuid:membership_id>/remove/", members.RemovePage.as_view(), name="remove"),
    path("invitations/<uuid:invitation_id>/take-back/", members.TakeBackPage.as_view(), name="take_back"),
]
