from django.apps import AppConfig
from django.db.backends.signals import connection_created

from nebo.postgres.prepared import pin_plans


class SearchConfig(AppConfig):
    name = "search"

    def ready(self) -> None:
        connection_created.connect(pin_plans, dispatch_uid="search.pin_plans")
