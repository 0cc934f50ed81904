from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "nebo.api"
    label = "api"
