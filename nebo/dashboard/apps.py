from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "nebo.dashboard"
    label = "dashboard"
