from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "nebo.product.dashboard"
    label = "dashboard"
