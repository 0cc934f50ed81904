"""Addresses under /t/<tenant>/jobs/."""

from django.urls import path

from nebo.jobs import views

app_name = "jobs"
urlpatterns = [
    path("", views.JobListPage.as_view(), name="list"),
    path("<uuid:job_id>/", views.JobDetailPage.as_view(), name="detail"),
    path("<uuid:job_id>/retry/", views.JobRetryPage.as_view(), name="retry"),
]
