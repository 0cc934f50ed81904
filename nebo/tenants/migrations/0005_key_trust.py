"""A key says whose words it brings, and the question whose key it is tells it."""

from django.db import migrations, models

from nebo.postgres.sql_files import SqlFunction


class Migration(migrations.Migration):

    dependencies = [
        ('tenants', '0004_suspended'),
    ]

    operations = [
        migrations.AddField(
            model_name='apikey',
            name='trust',
            field=models.CharField(blank=True, choices=[('user', 'The person’s own'), ('assistant', 'The assistant’s'), ('tool', 'A tool’s'), ('web', 'The web’s')], default='', help_text="Whose words it brings. Empty: each message is its role's, and what is stored is the agent's.", max_length=10),
            preserve_default=False,
        ),
        SqlFunction("nebo_find_key", callers=("app", "operator"), anew=True),
    ]
