"""Calls counted by day, key and operation."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.manager
from django.db import migrations, models

import nebo.tenants.ids
from nebo.tenants.isolation import IsolateTenant


class Migration(migrations.Migration):

    dependencies = [
        ('api', '0001_initial'),
        ('tenants', '0007_admins_look'),
    ]

    operations = [
        migrations.CreateModel(
            name='CallsOfDay',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('day', models.DateField()),
                ('key_id', models.UUIDField(help_text='No foreign key: what was counted outlives the key.')),
                ('what', models.CharField(help_text='The operation, as the API reference names it.', max_length=80)),
                ('calls', models.PositiveIntegerField()),
                ('errors', models.PositiveIntegerField(help_text='Those answered with a status from 400 on.')),
                ('times', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), help_text='Calls by nebo.api.usage.BOUNDS_MS.', size=None)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.AddConstraint(
            model_name='callsofday',
            constraint=models.UniqueConstraint(fields=('tenant', 'day', 'key_id', 'what'), name='one_count_a_day'),
        ),
        IsolateTenant("callsofday"),
    ]
