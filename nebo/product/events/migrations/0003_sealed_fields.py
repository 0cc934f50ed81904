"""Secrets of webhooks are sealed under the key for secrets at rest."""

from django.db import migrations

import nebo.tenants.sealing
from nebo.tenants.sealed_rows import SealAnew


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0002_stream'),
    ]

    operations = [
        migrations.AlterField(
            model_name='endpoint',
            name='sealed_secret',
            field=nebo.tenants.sealing.SealedField(),
        ),
        migrations.AlterField(
            model_name='endpoint',
            name='sealed_old_secret',
            field=nebo.tenants.sealing.SealedField(blank=True, help_text='Signs too, until its time is over.'),
        ),
        SealAnew("endpoint", ("sealed_secret", "sealed_old_secret")),
    ]
