"""Whether somebody who was erased may come back with a file."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('governance', '0003_admins_look'),
    ]

    operations = [
        migrations.AddField(
            model_name='import',
            name='after_erasure',
            field=models.BooleanField(default=False, help_text='Whether somebody who was erased may come back.'),
        ),
    ]
