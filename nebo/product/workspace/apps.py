from django.apps import AppConfig


class WorkspaceConfig(AppConfig):
    name = "nebo.product.workspace"
    label = "workspace"
