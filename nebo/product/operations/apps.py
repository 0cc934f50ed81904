from typing import Any

from django.apps import AppConfig, apps
from django.db import connections
from django.db.models.signals import post_migrate

from nebo.postgres.layout import IS_DISTRIBUTED


class OperationsConfig(AppConfig):
    name = "nebo.product.operations"
    label = "operations"

    def ready(self) -> None:
        if IS_DISTRIBUTED:
            post_migrate.connect(distribute_rest, sender=apps.get_app_config("tenants"))


def distribute_rest(using: str, **kwargs: Any) -> None:
    """After migrations of a distributed database: new tables in their places, new functions as its parts need them."""
    from nebo.product.operations.distribution.distributing import go_on  # noqa: PLC0415  models aren't loaded above

    go_on(connections[using].settings_dict["NAME"])
