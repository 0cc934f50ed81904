"""Primary keys with the tenant, and row-level security."""

from django.db import migrations

from nebo.tenants.isolation import IsolateTenant


class Migration(migrations.Migration):
    dependencies = [("memories", "0002_references")]

    operations = [
        IsolateTenant("memory"),
        IsolateTenant("extractionrun"),
        IsolateTenant("observation"),
        IsolateTenant("version"),
        IsolateTenant("auditentry"),
        IsolateTenant("auditseal"),
        IsolateTenant("entity"),
        IsolateTenant("memoryentity"),
        IsolateTenant("todo"),
    ]
