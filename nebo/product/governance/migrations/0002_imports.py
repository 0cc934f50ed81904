"""Files that come in."""

import django.db.models.deletion
import django.db.models.manager
import nebo.tenants.ids
import nebo.tenants.isolation
from django.db import migrations, models
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):

    dependencies = [
        ('governance', '0001_initial'),
        ('jobs', '0004_parked'),
        ('memories', '0003_most_used'),
        ('tenants', '0005_key_trust'),
    ]

    operations = [
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('source', models.CharField(choices=[('nebo', 'Nebo'), ('chatgpt', 'ChatGPT'), ('claude', 'Claude'), ('openai', 'Messages as OpenAI’s API takes them'), ('mem0', 'Mem0'), ('zep', 'Zep'), ('markdown', 'Markdown: CLAUDE.md, AGENTS.md, a folder of notes')], max_length=10)),
                ('name', models.CharField(blank=True, help_text='The file’s.', max_length=200)),
                ('size', models.PositiveBigIntegerField(help_text='Bytes.')),
                ('dry_run', models.BooleanField(default=False)),
                ('manages', models.BooleanField(default=False, help_text='Whether who asked may change what all share.')),
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
                ('job', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='jobs.job')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
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
            name='ImportBatch',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('content', models.JSONField()),
                ('incoming', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='governance.import')),
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
            name='ImportedNote',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('origin', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('memory', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='memories.memory')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
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
            name='ImportPart',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('data', models.BinaryField()),
                ('incoming', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='governance.import')),
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
        migrations.AddIndex(
            model_name='import',
            index=models.Index(fields=['tenant', 'person', '-requested_at'], name='import_newest_first'),
        ),
        migrations.AddIndex(
            model_name='import',
            index=models.Index(fields=['tenant', 'requested_at'], name='import_by_age'),
        ),
        migrations.AddConstraint(
            model_name='importbatch',
            constraint=models.UniqueConstraint(fields=('tenant', 'incoming', 'number'), name='one_import_batch_a_number'),
        ),
        migrations.AddIndex(
            model_name='importednote',
            index=models.Index(condition=models.Q(('memory__isnull', False)), fields=['tenant', 'memory'], name='imported_note_of_memory'),
        ),
        migrations.AddConstraint(
            model_name='importednote',
            constraint=models.UniqueConstraint(fields=('tenant', 'person', 'origin'), name='one_note_an_origin'),
        ),
        migrations.AddConstraint(
            model_name='importpart',
            constraint=models.UniqueConstraint(fields=('tenant', 'incoming', 'number'), name='one_import_part_a_number'),
        ),
        IsolateTenant("import"),
        IsolateTenant("importbatch"),
        IsolateTenant("importednote"),
        IsolateTenant("importpart"),
        EnforceTenantKeys("import"),
        EnforceTenantKeys("importbatch"),
        EnforceTenantKeys("importednote"),
        EnforceTenantKeys("importpart"),
    ]
