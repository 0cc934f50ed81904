from django.apps import AppConfig


class TenantsConfig(AppConfig):
    name = "nebo.tenants"
    label = "tenants"
