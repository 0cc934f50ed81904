"""What comes back with an export isn't told again."""

from django.db import migrations
from nebo.postgres.sql_files import SqlFunction


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0003_sealed_fields'),
    ]

    operations = [
        SqlFunction("events_note"),
    ]
