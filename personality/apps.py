from importlib import import_module

from django.apps import AppConfig


class PersonalityConfig(AppConfig):
    name = "personality"

    def ready(self) -> None:
        """Register the handlers of this app's jobs."""
        import_module("personality.tasks")
