"""Functions of the owner are told which tenant they work for, and compare it with the open scope."""

from __future__ import annotations

from django.db import migrations

from nebo.postgres.sql_files import SqlFunction


class Migration(migrations.Migration):
    dependencies = [("agent_sessions", "0003_message_trust")]

    operations = [
        SqlFunction("nebo_redact", callers=("app",), anew=True),
    ]
