"""The door of the settings knows team memory."""

from django.db import migrations

from nebo.postgres.sql_files import SqlFunction


class Migration(migrations.Migration):

    dependencies = [
        ('governance', '0004_import_after_erasure'),
        ('tenants', '0009_team_memory'),
    ]

    operations = [
        SqlFunction("nebo_change_settings", callers=("app",)),
    ]
