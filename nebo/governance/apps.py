from django.apps import AppConfig


class GovernanceConfig(AppConfig):
    name = "nebo.governance"
    label = "governance"
