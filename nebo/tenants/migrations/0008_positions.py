from django.db import migrations

from nebo.postgres.sql_files import SqlFile, SqlFunction


class TableFile(SqlFile):
    """The table goes back with its file."""

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        schema_editor.execute(f'DROP TABLE IF EXISTS "{self.name}"', params=None)


class Migration(migrations.Migration):

    dependencies = [
        ('tenants', '0007_admins_look'),
    ]

    operations = [
        TableFile("tenants_position"),
        SqlFunction("nebo_note_position", callers=("app", "operator")),
        SqlFunction("nebo_find_position", callers=("app", "operator")),
    ]
