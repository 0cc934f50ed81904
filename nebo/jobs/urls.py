"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from nebo.jobs.api import JobDetailView, JobListView, JobRetryView

urlpatterns = [
    path("jobs/", JobListView.as_view(), name="job-list"),
    path("jobs/<uuid:job_id>/", JobDetailView.as_view(), name="job"),
    path("jobs/<uuid:job_id>/retry/", JobRetryView.as_view(), name="job-retry"),
]
