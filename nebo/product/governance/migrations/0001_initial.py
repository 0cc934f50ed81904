"""Exports of a person's data, and receipts of erasures."""

import django.db.models.deletion
import django.db.models.manager
from django.db import migrations, models

import nebo.tenants.ids
import nebo.tenants.isolation
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('jobs', '0005_worker_and_wakes'),
        ('tenants', '0005_windows'),
    ]

    operations = [
        migrations.CreateModel(
            name='Export',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('requested_by', models.CharField(max_length=120)),
                ('requested_at', models.DateTimeField(auto_now_add=True)),
                ('ready_at', models.DateTimeField(help_text='Empty while it is being made.', null=True)),
                ('size', models.PositiveBigIntegerField(default=0, help_text='Bytes.')),
                ('sha256', models.CharField(blank=True, max_length=64)),
                ('records', models.JSONField(default=dict, help_text='How many of what stand in it.')),
                ('profile', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
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
            name='ExportPart',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('data', models.BinaryField()),
                ('export', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='governance.export')),
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
            name='Erasure',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('person', models.CharField(help_text='Keyed digest of the external id.', max_length=64)),
                ('requested_by', models.CharField(max_length=120)),
                ('requested_at', models.DateTimeField(auto_now_add=True)),
                ('erased_at', models.DateTimeField(null=True)),
                ('receipt', models.JSONField(default=dict)),
                ('job', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='jobs.job')),
                ('profile', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tenants.userprofile')),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'person', '-requested_at'], name='erasure_by_person'), models.Index(fields=['tenant', 'profile'], name='erasure_by_profile')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.AddIndex(
            model_name='export',
            index=models.Index(fields=['tenant', 'profile', '-requested_at'], name='export_newest_first'),
        ),
        migrations.AddIndex(
            model_name='export',
            index=models.Index(fields=['tenant', 'requested_at'], name='export_by_age'),
        ),
        migrations.AddConstraint(
            model_name='exportpart',
            constraint=models.UniqueConstraint(fields=('tenant', 'export', 'number'), name='one_part_a_number'),
        ),
        IsolateTenant("export"),
        IsolateTenant("exportpart"),
        IsolateTenant("erasure"),
        EnforceTenantKeys("export"),
        EnforceTenantKeys("exportpart"),
        EnforceTenantKeys("erasure"),
    ]
