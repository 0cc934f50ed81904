"""A team's policy says whether its owners and admins may look at everybody's memories."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tenants', '0006_providers'),
    ]

    operations = [
        migrations.AddField(
            model_name='tenant',
            name='admins_look',
            field=models.BooleanField(db_default=False, default=False, help_text="Owners and admins may look at everybody's memories; each look is logged."),
        ),
    ]
