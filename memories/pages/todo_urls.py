"""Addresses under /t/<tenant>/todos/."""

from django.urls import path

from memories.pages import todos as views

app_name = "todos"
urlpatterns = [
    path("", views.TodoListPage.as_view(), name="list"),
    path("add/", views.TodoAddPage.as_view(), name="add"),
    path("<uuid:todo_id>/edit/", views.TodoEditPage.as_view(), name="edit"),
    path("<uuid:todo_id>/done/", views.DonePage.as_view(), name="done"),
    path("<uuid:todo_id>/dismiss/", views.DismissPage.as_view(), name="dismiss"),
    path("<uuid:todo_id>/reopen/", views.ReopenPage.as_view(), name="reopen"),
]
