"""A team's policy says whether what one shares with it others can recall."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tenants', '0008_positions'),
    ]

    operations = [
        migrations.AddField(
            model_name='tenant',
            name='team_memory',
            field=models.BooleanField(db_default=False, default=False, help_text="What somebody shared with the team, everybody's agents may recall, with who said so."),
        ),
    ]
