"""The door of the settings knows whether admins may look."""

from django.db import migrations

from nebo.postgres.sql_files import SqlFunction


class Migration(migrations.Migration):

    dependencies = [
        ('governance', '0002_imports'),
        ('tenants', '0007_admins_look'),
    ]

    operations = [
        SqlFunction("nebo_change_settings", callers=("app",)),
    ]
