"""Exports, erasures and imports, and the doors through which data leaves."""

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
        ('admin', '0003_logentry_add_action_flag_choices'),
        ('agent_sessions', '0001_initial'),
        ('jobs', '0001_initial'),
        ('memories', '0001_initial'),
        ('search', '0001_initial'),
        ('tenants', '0002_key_persona'),
    ]

    operations = [
        migrations.CreateModel(
            name='Export',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('requested_by', models.CharField(max_length=120)),
                ('requested_at', models.DateTimeField(auto_now_add=True)),
                ('ready_at', models.DateTimeField(help_text='Empty while it is being made.', null=True)),
                ('size', models.PositiveBigIntegerField(default=0, help_text='Bytes.')),
                ('sha256', models.CharField(blank=True, max_length=64)),
                ('records', models.JSONField(default=dict, help_text='How many of what stand in it.')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'person', '-requested_at'], name='export_newest_first'), models.Index(fields=['tenant', 'requested_at'], name='export_by_age')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='ExportPart',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('export', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='governance.export')),
                ('number', models.PositiveIntegerField()),
                ('data', models.BinaryField()),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'export', 'number'), name='one_part_a_number')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='Erasure',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tenants.userprofile')),
                ('job', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='jobs.job')),
                ('person_digest', models.CharField(help_text='Keyed digest of the external id.', max_length=64)),
                ('requested_by', models.CharField(max_length=120)),
                ('requested_at', models.DateTimeField(auto_now_add=True)),
                ('erased_at', models.DateTimeField(null=True)),
                ('receipt', models.JSONField(default=dict)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'person_digest', '-requested_at'], name='erasure_by_digest'), models.Index(fields=['tenant', 'person'], name='erasure_by_person')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('job', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='jobs.job')),
                ('source', models.CharField(choices=[('nebo', 'Nebo'), ('chatgpt', 'ChatGPT'), ('claude', 'Claude'), ('openai', 'Messages as OpenAI’s API takes them'), ('mem0', 'Mem0'), ('zep', 'Zep'), ('markdown', 'Markdown: CLAUDE.md, AGENTS.md, a folder of notes')], max_length=10)),
                ('name', models.CharField(blank=True, help_text='The file’s.', max_length=200)),
                ('size', models.PositiveBigIntegerField(help_text='Bytes.')),
                ('dry_run', models.BooleanField(default=False)),
                ('manages', models.BooleanField(default=False, help_text='Whether who asked may change what all share.')),
                ('after_erasure', models.BooleanField(default=False, help_text='Whether somebody who was erased may come back.')),
                ('requested_by', models.CharField(max_length=120)),
                ('trust', models.CharField(blank=True, choices=[('user', 'The person’s own'), ('assistant', 'The assistant’s'), ('tool', 'A tool’s'), ('web', 'The web’s')], max_length=10)),
                ('requested_at', models.DateTimeField(auto_now_add=True)),
                ('read_at', models.DateTimeField(help_text='Since when the file is known to be whole.', null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('outcome', models.CharField(blank=True, choices=[('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], max_length=10)),
                ('fault', models.JSONField(help_text='field and detail, where the file was refused.', null=True)),
                ('total', models.PositiveIntegerField(default=0, help_text='Messages, notes and rows in it.')),
                ('done', models.PositiveIntegerField(default=0, help_text='Of them, those that were looked at.')),
                ('counts', models.JSONField(default=dict, help_text='What came of them.')),
                ('left_out', models.JSONField(default=dict, help_text='What was not taken over, by reason.')),
                ('aliases', models.JSONField(default=dict, help_text='By id in the file: what it is here, under another one.')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'person', '-requested_at'], name='import_newest_first'), models.Index(fields=['tenant', 'requested_at'], name='import_by_age')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='ImportPart',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('incoming', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='governance.import')),
                ('number', models.PositiveIntegerField()),
                ('data', models.BinaryField()),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'incoming', 'number'), name='one_import_part_a_number')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='ImportBatch',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('incoming', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='governance.import')),
                ('number', models.PositiveIntegerField()),
                ('content', models.JSONField()),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'incoming', 'number'), name='one_import_batch_a_number')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='ImportedNote',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('memory', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='memories.memory')),
                ('origin', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(condition=models.Q(('memory__isnull', False)), fields=['tenant', 'memory'], name='imported_note_of_memory')],
                'constraints': [models.UniqueConstraint(fields=('tenant', 'person', 'origin'), name='one_note_an_origin')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("export"),
        IsolateTenant("exportpart"),
        IsolateTenant("erasure"),
        IsolateTenant("import"),
        IsolateTenant("importbatch"),
        IsolateTenant("importednote"),
        IsolateTenant("importpart"),
        EnforceTenantKeys("export"),
        EnforceTenantKeys("exportpart"),
        EnforceTenantKeys("erasure"),
        EnforceTenantKeys("import"),
        EnforceTenantKeys("importbatch"),
        EnforceTenantKeys("importednote"),
        EnforceTenantKeys("importpart"),
        SqlFunction("nebo_remove_messages", callers=("app",)),
        SqlFunction("nebo_owned_by", callers=()),
        SqlFunction("nebo_personal_tables", callers=()),
        SqlFunction("nebo_erase_person", callers=("app",)),
        SqlFunction("nebo_change_settings", callers=("app",)),
    ]
