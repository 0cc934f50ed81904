"""Sessions, their messages, and what is told of them in short."""

import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
import nebo.tenants.ids
import nebo.tenants.isolation
from django.db import migrations, models
from nebo.postgres.sql_files import SqlFunction
from nebo.tenants.isolation import AppendOnly, EnforceTenantKeys, IsolateTenant, Withhold


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('personality', '0001_initial'),
        ('tenants', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Session',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='tenants.userprofile')),
                ('persona', nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='personality.persona')),
                ('key', models.CharField(max_length=255)),
                ('identity', models.JSONField(default=dict, help_text='workspace, channel, conversation, actor')),
                ('auto_extract', models.BooleanField(default=True)),
                ('recall', models.BooleanField(help_text='Null: as the tenant has it.', null=True)),
                ('index_turns', models.BooleanField(default=True)),
                ('next_seq', models.PositiveIntegerField(default=1)),
                ('turn_count', models.PositiveIntegerField(default=0)),
                ('live_tokens', models.PositiveIntegerField(default=0, help_text='Estimate over messages not compacted.')),
                ('extracted_seq', models.PositiveIntegerField(default=0, help_text='Extraction has read up to here.')),
                ('rolled_seq', models.PositiveIntegerField(default=0, help_text='The rolling summary has read up to here.')),
                ('spine_seq', models.PositiveIntegerField(default=0, help_text='The spine has read up to here.')),
                ('turns_to_roll', models.PositiveIntegerField(default=0, help_text='Messages of the person that no rolling summary speaks for yet.')),
                ('summary', models.TextField(blank=True)),
                ('compaction_count', models.PositiveIntegerField(default=0)),
                ('flush_compaction_count', models.IntegerField(default=-1, help_text='The cycle whose flush has run.')),
                ('recovering', models.BooleanField(default=False, help_text='Compacted since the last context.')),
                ('active_task', models.TextField(blank=True)),
                ('memory_tool_at', models.DateTimeField(blank=True, editable=False, help_text='When the agent last used its memory here.', null=True)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('last_activity_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'person', '-last_activity_at'], name='session_newest_first'), models.Index(condition=models.Q(('persona__isnull', False)), fields=['tenant', 'persona'], name='session_of_persona'), models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['last_activity_at'], name='session_idle_sweep')],
                'constraints': [models.UniqueConstraint(fields=('tenant', 'person', 'key'), name='one_session_a_key')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('session', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='agent_sessions.session')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('seq', models.PositiveIntegerField()),
                ('role', models.CharField(choices=[('user', 'Person'), ('assistant', 'Assistant'), ('system', 'System'), ('tool', 'Tool')], max_length=10)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('trust', models.CharField(blank=True, choices=[('user', 'The person’s own'), ('assistant', 'The assistant’s'), ('tool', 'A tool’s'), ('web', 'The web’s')], help_text='Whose words the key that brought it said it brings. Empty: those of its role.', max_length=10)),
                ('content', models.TextField()),
                ('shown', models.TextField(help_text='What agents are shown instead; null where nothing is withheld.', null=True)),
                ('external_id', models.CharField(blank=True, max_length=255, null=True)),
                ('tokens', models.PositiveIntegerField(default=0)),
                ('compacted', models.BooleanField(default=False)),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
                ('read_in_turn', models.BooleanField(default=False, help_text='Whether all of it was read in the turn.')),
                ('passing', models.BooleanField(default=False, help_text='A mere mood or remark, as far as it was read in the turn.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, help_text='When it was said.')),
                ('recorded_at', models.DateTimeField(auto_now_add=True, help_text='When Nebo was told.')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'person', '-created_at'], name='message_by_person'), models.Index(condition=models.Q(('archived_at', None)), fields=['tenant', 'recorded_at'], name='message_to_archive'), models.Index(condition=models.Q(('archived_at__isnull', False)), fields=['tenant', 'archived_at'], name='message_to_remove')],
                'constraints': [models.UniqueConstraint(fields=('tenant', 'session', 'seq'), name='one_message_a_seq'), models.UniqueConstraint(condition=models.Q(('external_id__isnull', False)), fields=('tenant', 'session', 'external_id'), name='one_message_an_external_id')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='SessionState',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('persona', nebo.tenants.isolation.TenantForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='personality.persona')),
                ('message_count', models.PositiveIntegerField(default=0)),
                ('last_interaction_at', models.DateTimeField(null=True)),
                ('last_user_message', models.CharField(blank=True, max_length=200)),
                ('spine_message_count', models.PositiveIntegerField(default=0, help_text='Messages since the last spine.')),
                ('rolling_attempt_at', models.DateTimeField(null=True)),
                ('rolling_success_at', models.DateTimeField(null=True)),
                ('rolling_error', models.JSONField(help_text='reason and detail; null once it went well.', null=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'person', 'persona'), name='one_state_a_persona', nulls_distinct=False)],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='RollingSummary',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('state', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rolling_summaries', to='agent_sessions.sessionstate')),
                ('session', nebo.tenants.isolation.TenantForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='agent_sessions.session')),
                ('text', models.CharField(max_length=600)),
                ('seq_from', models.PositiveIntegerField(default=1)),
                ('seq_to', models.PositiveIntegerField()),
                ('model', models.CharField(blank=True, max_length=240)),
                ('prompt_hash', models.CharField(blank=True, max_length=64)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, help_text='When what it tells was read.')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'state', '-created_at'], name='rolling_newest_first')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='SessionSummary',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('session', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='summaries', to='agent_sessions.session')),
                ('one_liner', models.CharField(max_length=400)),
                ('what_mattered', models.JSONField(default=list)),
                ('open_loops', models.JSONField(default=list)),
                ('commitments', models.JSONField(default=list)),
                ('people', models.JSONField(default=list)),
                ('tone', models.CharField(blank=True, max_length=200)),
                ('seq_to', models.PositiveIntegerField(default=0, help_text='The last message it speaks for.')),
                ('said_from', models.DateTimeField(help_text='When the first of its messages was said.', null=True)),
                ('said_to', models.DateTimeField(help_text='When the last of its messages was said.', null=True)),
                ('model', models.CharField(blank=True, max_length=240)),
                ('prompt_hash', models.CharField(blank=True, max_length=64)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, help_text='When what it tells was read.')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'session', '-created_at'], name='summary_newest_first')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='Spine',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('version', models.PositiveIntegerField()),
                ('sections', models.JSONField(default=dict)),
                ('cites', models.JSONField(default=dict, help_text='By line, what it rests on: ids of memories and of messages.')),
                ('message_count', models.PositiveIntegerField(default=0, help_text='Messages since the version before.')),
                ('model', models.CharField(blank=True, max_length=240)),
                ('prompt_hash', models.CharField(blank=True, max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'person', 'version'), name='one_spine_a_version')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='Compaction',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('session', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='compactions', to='agent_sessions.session')),
                ('number', models.PositiveIntegerField()),
                ('seq_from', models.PositiveIntegerField()),
                ('seq_to', models.PositiveIntegerField()),
                ('kept', models.PositiveSmallIntegerField()),
                ('tokens_before', models.PositiveIntegerField()),
                ('tokens_after', models.PositiveIntegerField()),
                ('summary_before', models.TextField(blank=True)),
                ('summary_after', models.TextField()),
                ('model', models.CharField(blank=True, max_length=240)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, help_text='When what it tells was read.')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'session', 'number'), name='one_compaction_a_number')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('compaction', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='snapshots', to='agent_sessions.compaction')),
                ('facts', models.JSONField(default=list)),
                ('preferences', models.JSONField(default=list)),
                ('tasks', models.JSONField(default=list)),
                ('open_loops', models.JSONField(default=list)),
                ('constraints', models.JSONField(default=list)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'compaction'], name='snapshot_by_compaction')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("session"),
        IsolateTenant("message"),
        IsolateTenant("sessionstate"),
        IsolateTenant("rollingsummary"),
        IsolateTenant("sessionsummary"),
        IsolateTenant("spine"),
        IsolateTenant("compaction"),
        IsolateTenant("snapshot"),
        EnforceTenantKeys("session"),
        EnforceTenantKeys("message"),
        EnforceTenantKeys("sessionstate"),
        EnforceTenantKeys("rollingsummary"),
        EnforceTenantKeys("sessionsummary"),
        EnforceTenantKeys("spine"),
        EnforceTenantKeys("compaction"),
        EnforceTenantKeys("snapshot"),
        AppendOnly("message", updatable=("compacted", "archived_at", "shown")),
        AppendOnly("compaction"),
        # Sessions take their messages and memories along: they leave by the doors of governance alone.
        Withhold("session", ("DELETE",)),
        SqlFunction("nebo_without_words", callers=()),
        SqlFunction("nebo_redact", callers=("app",)),
    ]
