from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "nebo.product.operations"
    label = "operations"
