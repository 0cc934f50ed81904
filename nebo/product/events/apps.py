from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "nebo.product.events"
    label = "events"
