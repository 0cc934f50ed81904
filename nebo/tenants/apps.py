from importlib import import_module

from django.apps import AppConfig

from nebo.llm.breakers import listen


class TenantsConfig(AppConfig):
    name = "nebo.tenants"
    label = "tenants"

    def ready(self) -> None:
        """Breakers of teams' own providers are told on their pages; it needs models, which are there only now."""
        listen(import_module("nebo.tenants.providers").note_breaker)
