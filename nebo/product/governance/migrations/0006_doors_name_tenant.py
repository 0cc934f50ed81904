"""Functions of the owner are told which tenant they work for, and compare it with the open scope."""

from __future__ import annotations

from django.db import migrations

from nebo.postgres.sql_files import SqlFunction


class Migration(migrations.Migration):
    dependencies = [("governance", "0005_team_memory")]

    operations = [
        SqlFunction("nebo_remove_messages", callers=("app",), anew=True),
        SqlFunction("nebo_erase_person", callers=("app",), anew=True),
    ]
