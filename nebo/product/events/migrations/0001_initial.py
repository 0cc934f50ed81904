"""Endpoints, events, deliveries and streams, and the triggers that note what happens."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.manager
import nebo.tenants.ids
import nebo.tenants.isolation
import nebo.tenants.sealing
from django.db import migrations, models
from nebo.postgres.sql_files import SqlFunction
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('agent_sessions', '0001_initial'),
        ('jobs', '0001_initial'),
        ('memories', '0001_initial'),
        ('tenants', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Endpoint',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('url', models.CharField(max_length=2000)),
                ('description', models.CharField(blank=True, max_length=200)),
                ('events', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, help_text='Empty: all.', size=None)),
                ('state', models.CharField(choices=[('active', 'Active'), ('paused', 'Paused'), ('disabled', 'Switched off')], default='active', max_length=10)),
                ('disabled_reason', models.CharField(blank=True, max_length=200)),
                ('sealed_secret', nebo.tenants.sealing.SealedField()),
                ('sealed_old_secret', nebo.tenants.sealing.SealedField(blank=True, help_text='Signs too, until its time is over.')),
                ('old_secret_until', models.DateTimeField(null=True)),
                ('failing_since', models.DateTimeField(help_text='The first failure since the last success.', null=True)),
                ('failures', models.PositiveIntegerField(default=0, help_text='How many since the last success.')),
                ('hold_until', models.DateTimeField(help_text='Nothing is sent before.', null=True)),
                ('is_slow', models.BooleanField(default=False, help_text='Whether the last answer was long in coming.')),
                ('delivered_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', '-created_at'], name='endpoint_newest_first')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('type', models.CharField(max_length=40)),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('data', models.JSONField(default=dict, help_text='Ids and counts, never what was said.')),
                ('created_at', models.DateTimeField()),
                ('xact', models.BigIntegerField(default=0, help_text='Number of the transaction; 0 for tests of a webhook.')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'created_at'], name='event_by_age'), models.Index(fields=['tenant', 'xact', 'created_at', 'id'], name='event_in_order'), models.Index(condition=models.Q(('person__isnull', False)), fields=['tenant', 'person'], name='event_by_person')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('event', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='events.event')),
                ('endpoint', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='events.endpoint')),
                ('state', models.CharField(choices=[('pending', 'Waiting'), ('delivered', 'Delivered'), ('failed', 'Given up')], default='pending', max_length=10)),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Since it was last asked for.')),
                ('status', models.PositiveSmallIntegerField(help_text='Of the last answer.', null=True)),
                ('log', models.JSONField(default=list)),
                ('finished_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'endpoint', '-created_at'], name='delivery_newest_first'), models.Index(condition=models.Q(('state', 'pending')), fields=['tenant', 'endpoint', 'due_at'], name='delivery_due')],
                'constraints': [models.UniqueConstraint(fields=('tenant', 'event', 'endpoint'), name='one_delivery_an_event_and_endpoint')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='EventStream',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('read_at', models.DateTimeField()),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant',), name='one_event_stream_a_tenant')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("endpoint"),
        IsolateTenant("event"),
        IsolateTenant("delivery"),
        IsolateTenant("eventstream"),
        EnforceTenantKeys("event"),
        EnforceTenantKeys("delivery"),
        SqlFunction("events_note"),
        SqlFunction("events_of_memory"),
        SqlFunction("events_of_audit"),
        SqlFunction("events_of_messages"),
        SqlFunction("events_of_forget_request"),
        SqlFunction("events_of_run"),
        SqlFunction("events_of_job"),
    ]
