from django.apps import AppConfig


class MemoryFilesConfig(AppConfig):
    name = "nebo.product.memory_files"
    label = "memory_files"
