from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "nebo.jobs"
    label = "jobs"
