"""Addresses under /t/<tenant>/memories/."""

from django.urls import path

from memories.pages import adding, bulk, detail, forgetting, memories, team, timeline, trash, words

app_name = "memories"
urlpatterns = [
    path("", memories.MemoryListPage.as_view(), name="list"),
    path("add/", adding.AddPage.as_view(), name="add"),
    path("bulk/", bulk.BulkPage.as_view(), name="bulk"),
    path("undo/", bulk.UndoPage.as_view(), name="undo"),
    path("timeline/", timeline.TimelinePage.as_view(), name="timeline"),
    path("team/", team.TeamPage.as_view(), name="team"),
    path("trash/", trash.TrashPage.as_view(), name="trash"),
    path("trash/empty/", trash.EmptyTrashPage.as_view(), name="empty_trash"),
    path("forget/", forgetting.ForgetPage.as_view(), name="forget"),
    path("<uuid:memory_id>/", detail.MemoryDetailPage.as_view(), name="detail"),
    path("<uuid:memory_id>/forget/", words.ForgetWordsPage.as_view(), name="forget_words"),
    path(
        "<uuid:memory_id>/versions/<int:number>/restore/", detail.BringBackPage.as_view(), name="bring_back"
    ),
    path("<uuid:memory_id>/edit/", memories.MemoryEditPage.as_view(), name="edit"),
    path("<uuid:memory_id>/pin/", memories.PinPage.as_view(), name="pin"),
    path("<uuid:memory_id>/unpin/", memories.UnpinPage.as_view(), name="unpin"),
    path("<uuid:memory_id>/confirm/", memories.ConfirmPage.as_view(), name="confirm"),
    path("<uuid:memory_id>/share/", team.SharePage.as_view(), name="share"),
    path("<uuid:memory_id>/take-back/", team.TakeBackPage.as_view(), name="take_back"),
    path("<uuid:memory_id>/delete/", memories.DeletePage.as_view(), name="delete"),
    path("<uuid:memory_id>/wrong/", memories.MarkWrongPage.as_view(), name="wrong"),
    path("<uuid:memory_id>/never-mention/", memories.NeverMentionPage.as_view(), name="never_mention"),
    path("<uuid:memory_id>/restore/", memories.RestorePage.as_view(), name="restore"),
]
