"""Foreign keys that carry the tenant; every table has its key by now."""

from django.db import migrations

from nebo.tenants.isolation import EnforceTenantKeys


class Migration(migrations.Migration):
    dependencies = [
        ("tenants", "0002_walls"),
        ("api", "0003_walls"),
        ("jobs", "0003_walls"),
        ("search", "0003_walls"),
        ("memories", "0003_walls"),
        ("personality", "0003_walls"),
        ("agent_sessions", "0003_walls"),
    ]

    operations = [
        EnforceTenantKeys("persona"),
        EnforceTenantKeys("personafile"),
        EnforceTenantKeys("personacandidate"),
        EnforceTenantKeys("personaevidence"),
        EnforceTenantKeys("personarevision"),
    ]
