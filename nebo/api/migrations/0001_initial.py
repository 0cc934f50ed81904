"""Answers that are kept, so that a request which comes twice is done once; and calls counted by day."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.manager
import nebo.tenants.ids
import nebo.tenants.isolation
from django.db import migrations, models
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('tenants', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='IdempotencyRecord',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('api_key', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.apikey')),
                ('key', models.CharField(max_length=255)),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, help_text='Whom it is about.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('fingerprint', models.CharField(help_text='SHA-256 of method, path, query and body.', max_length=64)),
                ('status', models.PositiveSmallIntegerField(null=True)),
                ('headers', models.JSONField(default=dict)),
                ('body', models.TextField(blank=True, help_text='The answer as it was sent; empty for none.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'created_at'], name='idempotency_by_age')],
                'constraints': [models.UniqueConstraint(fields=('tenant', 'api_key', 'key'), name='one_answer_an_idempotency_key')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='CallsOfDay',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('day', models.DateField()),
                ('key_id', models.UUIDField(help_text='No foreign key: what was counted outlives the key.')),
                ('what', models.CharField(help_text='The operation, as the API reference names it.', max_length=80)),
                ('calls', models.PositiveIntegerField()),
                ('errors', models.PositiveIntegerField(help_text='Those answered with a status from 400 on.')),
                ('times', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), help_text='Calls by nebo.api.usage.BOUNDS_MS.', size=None)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'day', 'key_id', 'what'), name='one_count_a_day')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("idempotencyrecord"),
        IsolateTenant("callsofday"),
        EnforceTenantKeys("idempotencyrecord"),
    ]
