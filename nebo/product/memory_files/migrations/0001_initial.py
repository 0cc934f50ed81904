"""Files of assistants, and what stood in them before."""

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
        ('personality', '0001_initial'),
        ('tenants', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='MemoryFile',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memory_files', to='tenants.userprofile')),
                ('persona', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='personality.persona')),
                ('path', models.CharField(help_text='Below /memories/, without it.', max_length=255)),
                ('text', models.TextField(blank=True)),
                ('held', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, help_text='Passages that read like orders; no agent is shown them.', size=None)),
                ('allowed', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, help_text='Passages that the person lets agents read all the same.', size=None)),
                ('number', models.PositiveIntegerField(default=1, help_text='Of its newest version.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField()),
                ('deleted_at', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name': 'memory file',
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'person', '-updated_at'], name='memory_file_newest_first'), models.Index(condition=models.Q(('deleted_at__isnull', False)), fields=['tenant', 'deleted_at'], name='memory_file_in_trash'), models.Index(condition=models.Q(('persona__isnull', False)), fields=['tenant', 'persona'], name='memory_file_by_persona')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('tenant', 'person', 'persona', 'path'), name='one_memory_file_a_path', nulls_distinct=False)],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='MemoryFileVersion',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('file', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='memory_files.memoryfile')),
                ('number', models.PositiveIntegerField()),
                ('action', models.CharField(choices=[('created', 'Created'), ('edited', 'Edited'), ('renamed', 'Renamed'), ('deleted', 'Moved to the trash'), ('restored', 'Restored'), ('allowed', 'Let agents read what was held back')], max_length=10)),
                ('path', models.CharField(max_length=255)),
                ('text', models.TextField(blank=True)),
                ('actor', models.CharField(max_length=120)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'memory file version',
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'file', 'number'), name='one_memory_file_version')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("memoryfile"),
        IsolateTenant("memoryfileversion"),
        EnforceTenantKeys("memoryfile"),
        EnforceTenantKeys("memoryfileversion"),
    ]
