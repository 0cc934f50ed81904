"""Primary keys with the tenant, and row-level security."""

from django.db import migrations

from nebo.tenants.isolation import IsolateTenant


class Migration(migrations.Migration):
    dependencies = [("agent_sessions", "0002_references")]

    operations = [
        IsolateTenant("session"),
        IsolateTenant("message"),
        IsolateTenant("sessionstate"),
        IsolateTenant("rollingsummary"),
        IsolateTenant("sessionsummary"),
        IsolateTenant("spine"),
        IsolateTenant("compaction"),
        IsolateTenant("snapshot"),
    ]
