"""Members are told that their team is suspended: the question for a login's teams answers which are."""

from django.db import migrations

from nebo.postgres.sql_files import SqlFunction


class Migration(migrations.Migration):

    dependencies = [
        ('tenants', '0003_words_taken'),
    ]

    operations = [
        SqlFunction("nebo_memberships_of", callers=("app", "operator"), anew=True),
    ]
