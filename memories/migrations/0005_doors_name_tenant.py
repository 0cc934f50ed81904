"""Functions of the owner are told which tenant they work for, and compare it with the open scope."""

from __future__ import annotations

from django.db import migrations

from nebo.postgres.sql_files import SqlFunction


class Migration(migrations.Migration):
    dependencies = [("memories", "0004_shared")]

    operations = [
        SqlFunction("nebo_audit_leaf", anew=True),
        SqlFunction("nebo_seal_audit", callers=("app",), anew=True),
        SqlFunction("nebo_remove_audit", callers=("app",), anew=True),
    ]
