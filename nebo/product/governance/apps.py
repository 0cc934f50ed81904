from django.apps import AppConfig


class GovernanceConfig(AppConfig):
    name = "nebo.product.governance"
    label = "governance"
