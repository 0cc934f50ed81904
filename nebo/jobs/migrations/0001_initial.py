"""Jobs, the lanes they wait in, and the last signs of life."""

import django.db.models.deletion
import django.db.models.manager
import nebo.jobs.lanes
import nebo.tenants.ids
import nebo.tenants.isolation
from django.db import migrations, models
from nebo.postgres.sql_files import SqlFile
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('agent_sessions', '0001_initial'),
        ('django_q', '0019_alter_task_options_alter_ormq_key_alter_ormq_lock_and_more'),
        ('tenants', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('kind', models.CharField(max_length=40)),
                ('payload', models.JSONField(default=dict)),
                ('person', nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('session', nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='agent_sessions.session')),
                ('dedupe_key', models.CharField(blank=True, max_length=120)),
                ('lane', models.PositiveSmallIntegerField(default=nebo.jobs.lanes.Lane['SESSION'])),
                ('state', models.CharField(choices=[('queued', 'Waiting'), ('running', 'Running'), ('succeeded', 'Done'), ('failed', 'Will retry'), ('dead', 'Given up')], default='queued', max_length=10)),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('crashes', models.PositiveSmallIntegerField(default=0)),
                ('interruptions', models.PositiveSmallIntegerField(default=0, help_text='How often its worker was taken away by something else than the job.')),
                ('lease_token', models.UUIDField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('worker', models.CharField(blank=True, help_text='Who runs it: host/cluster/process id.', max_length=120)),
                ('wake_id', models.BigIntegerField(blank=True, help_text="The broker's row that will wake a worker.", null=True)),
                ('error', models.TextField(blank=True)),
                ('result', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', '-created_at'], name='job_newest_first'), models.Index(fields=['tenant', 'session', 'kind'], name='job_by_session'), models.Index(fields=['tenant', 'person', '-created_at'], name='job_by_person'), models.Index(condition=models.Q(('state__in', ['queued', 'failed', 'running'])), fields=['due_at'], name='job_due'), models.Index(condition=models.Q(('state', 'dead')), fields=['tenant'], name='job_parked')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['queued', 'failed']), models.Q(('dedupe_key', ''), _negated=True)), fields=('tenant', 'dedupe_key'), name='one_waiting_job_a_dedupe_key'), models.UniqueConstraint(condition=models.Q(('state', 'running'), models.Q(('dedupe_key', ''), _negated=True)), fields=('tenant', 'dedupe_key'), name='one_running_job_a_dedupe_key')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('name', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('beat_at', models.DateTimeField()),
                ('detail', models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name='Turn',
            fields=[
                ('line', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('lane', models.PositiveSmallIntegerField()),
                ('taken_at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['lane', 'taken_at'], name='turn_newest_of_lane')],
            },
        ),
        IsolateTenant("job"),
        EnforceTenantKeys("job"),
        SqlFile("django_q_ormq_indexes"),
    ]
