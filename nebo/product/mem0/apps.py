from django.apps import AppConfig


class Mem0Config(AppConfig):
    name = "nebo.product.mem0"
    label = "mem0"
