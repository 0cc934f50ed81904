"""Primary keys with the tenant, and row-level security."""

from django.db import migrations

from nebo.tenants.isolation import IsolateTenant


class Migration(migrations.Migration):
    dependencies = [("api", "0002_references")]

    operations = [
        IsolateTenant("idempotencyrecord"),
    ]
