from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "nebo.operations"
    label = "operations"
