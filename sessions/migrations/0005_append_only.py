"""Messages are append-only; what may change is only whether the summary speaks for them, and their archiving."""

from django.db import migrations

from nebo.tenants.isolation import AppendOnly


class Migration(migrations.Migration):
    dependencies = [("agent_sessions", "0004_tenant_keys")]

    operations = [
        AppendOnly("message", ("compacted", "archived_at")),
        AppendOnly("compaction"),
    ]
