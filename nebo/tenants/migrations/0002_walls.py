"""Primary keys with the tenant, and row-level security."""

from django.db import migrations

from nebo.tenants.isolation import IsolateTenant


class Migration(migrations.Migration):
    dependencies = [("tenants", "0001_initial")]

    operations = [
        IsolateTenant("membership"),
        IsolateTenant("userprofile"),
        IsolateTenant("apikey"),
    ]
