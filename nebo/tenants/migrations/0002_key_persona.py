"""What names apps above this one, which name it: the two must come in turns. A key may speak as a persona, and a pause may
hold for a session.
"""

import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
from django.db import migrations, models

import nebo.tenants.ids
from nebo.postgres.sql_files import SqlFunction
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant, TenantForeignKey


class Migration(migrations.Migration):

    dependencies = [
        ('agent_sessions', '0001_initial'),
        ('personality', '0001_initial'),
        ('tenants', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='apikey',
            name='persona',
            field=TenantForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='personality.persona'),
        ),
        EnforceTenantKeys("apikey", fields=("persona",)),
        SqlFunction("nebo_find_key", callers=("app", "operator")),
        migrations.CreateModel(
            name='Pause',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('scope', models.CharField(choices=[('person', 'Everything'), ('session', 'A conversation'), ('key', 'A key')], max_length=10)),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ('until', models.DateTimeField(help_text='Null: until somebody resumes.', null=True)),
                ('reason', models.CharField(blank=True, help_text="For people's eyes, never an agent's.", max_length=200)),
                ('made_by', models.CharField(help_text='As audit entries name whoever acts.', max_length=120)),
                ('key', TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.apikey')),
                ('person', TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('session', TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='agent_sessions.session')),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(condition=models.Q(('session__isnull', False)), fields=['tenant', 'session'], name='pause_of_session'), models.Index(condition=models.Q(('key__isnull', False)), fields=['tenant', 'key'], name='pause_of_key')],
                'constraints': [models.UniqueConstraint(fields=('tenant', 'person', 'session', 'key'), name='one_pause_a_thing', nulls_distinct=False), models.CheckConstraint(condition=models.Q(models.Q(('key', None), ('person__isnull', False), ('scope', 'person'), ('session', None)), models.Q(('key', None), ('person__isnull', False), ('scope', 'session'), ('session__isnull', False)), models.Q(('key__isnull', False), ('scope', 'key'), ('session', None)), _connector='OR'), name='pause_names_its_thing')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("pause"),
        EnforceTenantKeys("pause"),
    ]
