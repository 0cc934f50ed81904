from django.apps import AppConfig


class McpConfig(AppConfig):
    name = "nebo.product.mcp"
    label = "mcp"
