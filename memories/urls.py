"""Addresses under /api/v1/."""

from django.urls import path

from memories.api import entities, explaining, forgetting, memories, people, runs, search

urlpatterns = [
    path("users/<str:user>/memories/", memories.MemoryListView.as_view(), name="memory-list"),
    path("users/<str:user>/search/", search.SearchView.as_view(), name="search"),
    path(
        "users/<str:user>/memories/<uuid:memory_id>/explain/",
        explaining.ExplainView.as_view(),
        name="memory-explain",
    ),
    path("users/<str:user>/recall/", search.RecallView.as_view(), name="recall"),
    path("users/<str:user>/tool/", search.ToolView.as_view(), name="tool"),
    path("users/<str:user>/entities/", entities.EntityListView.as_view(), name="entity-list"),
    path("users/<str:user>/entities/proposals/", entities.ProposalListView.as_view(), name="proposal-list"),
    path(
        "users/<str:user>/entities/proposals/<uuid:proposal_id>/dismiss/",
        entities.ProposalDismissView.as_view(),
        name="proposal-dismiss",
    ),
    path(
        "users/<str:user>/entities/proposals/<uuid:proposal_id>/merge/",
        entities.ProposalMergeView.as_view(),
        name="proposal-merge",
    ),
    path("users/<str:user>/entities/merge/", entities.EntityMergeView.as_view(), name="entity-merge"),
    path("users/<str:user>/entities/split/", entities.EntitySplitView.as_view(), name="entity-split"),
    path("users/<str:user>/folds/", entities.FoldListView.as_view(), name="fold-list"),
    path("users/<str:user>/folds/<uuid:fold_id>/undo/", entities.FoldUndoView.as_view(), name="fold-undo"),
    path("users/<str:user>/curation/", entities.CurationView.as_view(), name="curation"),
    path("users/<str:user>/todos/", people.TodoListView.as_view(), name="todo-list"),
    path("users/<str:user>/todos/<uuid:todo_id>/", people.TodoView.as_view(), name="todo"),
    path("users/<str:user>/forget-requests/", forgetting.ForgetListView.as_view(), name="forget-list"),
    path(
        "users/<str:user>/forget-requests/<uuid:request_id>/confirm/",
        forgetting.ForgetConfirmView.as_view(),
        name="forget-confirm",
    ),
    path(
        "users/<str:user>/forget-requests/<uuid:request_id>/keep/",
        forgetting.ForgetKeepView.as_view(),
        name="forget-keep",
    ),
    path("users/<str:user>/extraction-runs/", runs.RunListView.as_view(), name="run-list"),
    path("users/<str:user>/extraction-runs/<uuid:run_id>/", runs.RunView.as_view(), name="run"),
    path(
        "users/<str:user>/extraction-runs/<uuid:run_id>/approve/",
        runs.RunApproveView.as_view(),
        name="run-approve",
    ),
    path(
        "users/<str:user>/extraction-runs/<uuid:run_id>/reject/",
        runs.RunRejectView.as_view(),
        name="run-reject",
    ),
    path(
        "users/<str:user>/extraction-runs/<uuid:run_id>/revert/",
        runs.RunRevertView.as_view(),
        name="run-revert",
    ),
    path("memories/<uuid:memory_id>/", memories.MemoryDetailView.as_view(), name="memory"),
    path("memories/<uuid:memory_id>/pin/", memories.PinView.as_view(), name="memory-pin"),
    path("memories/<uuid:memory_id>/unpin/", memories.UnpinView.as_view(), name="memory-unpin"),
    path("memories/<uuid:memory_id>/archive/", memories.ArchiveView.as_view(), name="memory-archive"),
    path("memories/<uuid:memory_id>/wrong/", memories.MarkWrongView.as_view(), name="memory-wrong"),
    path(
        "memories/<uuid:memory_id>/never-mention/",
        memories.NeverMentionView.as_view(),
        name="memory-never-mention",
    ),
    path("memories/<uuid:memory_id>/restore/", memories.RestoreView.as_view(), name="memory-restore"),
    path("memories/<uuid:memory_id>/history/", memories.HistoryView.as_view(), name="memory-history"),
    path(
        "memories/<uuid:memory_id>/provenance/", memories.ProvenanceView.as_view(), name="memory-provenance"
    ),
]
