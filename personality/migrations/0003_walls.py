"""Primary keys with the tenant, and row-level security."""

from django.db import migrations

from nebo.tenants.isolation import IsolateTenant


class Migration(migrations.Migration):
    dependencies = [("personality", "0002_references")]

    operations = [
        IsolateTenant("persona"),
        IsolateTenant("personafile"),
        IsolateTenant("personacandidate"),
        IsolateTenant("personaevidence"),
        IsolateTenant("personarevision"),
    ]
