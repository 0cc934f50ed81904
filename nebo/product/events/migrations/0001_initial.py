"""Endpoints, events and deliveries, and the triggers that note what happens."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.manager
import nebo.tenants.ids
import nebo.tenants.isolation
from django.db import migrations, models
from nebo.postgres.sql_files import SqlFunction
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('tenants', '0004_suspended'),
        ('jobs', '0002_lanes'),
        ('memories', '0001_initial'),
        ('agent_sessions', '0002_message_passing'),
    ]

    operations = [
        migrations.CreateModel(
            name='Endpoint',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('url', models.CharField(max_length=2000)),
                ('description', models.CharField(blank=True, max_length=200)),
                ('events', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, help_text='Empty: all.', size=None)),
                ('state', models.CharField(choices=[('active', 'Active'), ('paused', 'Paused'), ('disabled', 'Switched off')], default='active', max_length=10)),
                ('disabled_reason', models.CharField(blank=True, max_length=200)),
                ('sealed_secret', models.TextField()),
                ('sealed_old_secret', models.TextField(blank=True, help_text='Signs too, until its time is over.')),
                ('old_secret_until', models.DateTimeField(null=True)),
                ('failing_since', models.DateTimeField(help_text='The first failure since the last success.', null=True)),
                ('failures', models.PositiveIntegerField(default=0, help_text='How many since the last success.')),
                ('hold_until', models.DateTimeField(help_text='Nothing is sent before.', null=True)),
                ('is_slow', models.BooleanField(default=False, help_text='Whether the last answer was long in coming.')),
                ('delivered_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
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
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('type', models.CharField(max_length=40)),
                ('data', models.JSONField(default=dict, help_text='Ids and counts, never what was said.')),
                ('created_at', models.DateTimeField()),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
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
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('state', models.CharField(choices=[('pending', 'Waiting'), ('delivered', 'Delivered'), ('failed', 'Given up')], default='pending', max_length=10)),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Since it was last asked for.')),
                ('status', models.PositiveSmallIntegerField(help_text='Of the last answer.', null=True)),
                ('log', models.JSONField(default=list)),
                ('finished_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField()),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('endpoint', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='events.endpoint')),
                ('event', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='events.event')),
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
        migrations.AddIndex(
            model_name='endpoint',
            index=models.Index(fields=['tenant', '-created_at'], name='endpoint_newest_first'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['tenant', 'created_at'], name='event_by_age'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(condition=models.Q(('person__isnull', False)), fields=['tenant', 'person'], name='event_by_person'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(fields=['tenant', 'endpoint', '-created_at'], name='delivery_newest_first'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('state', 'pending')), fields=['tenant', 'endpoint', 'due_at'], name='delivery_due'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(fields=('tenant', 'event', 'endpoint'), name='one_delivery_an_event_and_endpoint'),
        ),
        IsolateTenant("endpoint"),
        IsolateTenant("event"),
        IsolateTenant("delivery"),
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
