"""Personas, what people wish of them, and what became of that.

The message a wish stands in is in 0002_evidence_message: sessions stand above.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.manager
import nebo.tenants.ids
import nebo.tenants.isolation
from django.db import migrations, models
from nebo.tenants.isolation import AppendOnly, EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('tenants', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Persona',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('slug', models.SlugField(max_length=63)),
                ('name', models.CharField(default='Nebo', max_length=200)),
                ('preset', models.CharField(blank=True, max_length=40)),
                ('custom_personality', models.TextField(blank=True, help_text='{name} stands for the name.')),
                ('voice_style', models.CharField(default='neutral', max_length=40)),
                ('response_length', models.CharField(default='adaptive', max_length=40)),
                ('emoji_usage', models.CharField(default='moderate', max_length=40)),
                ('formality', models.CharField(default='adaptive', max_length=40)),
                ('proactivity', models.CharField(default='moderate', max_length=40)),
                ('emoji', models.CharField(blank=True, max_length=16)),
                ('creature', models.CharField(blank=True, max_length=200)),
                ('vibe', models.CharField(blank=True, max_length=200)),
                ('role', models.CharField(blank=True, max_length=200)),
                ('language', models.CharField(blank=True, help_text="Empty: the person's own.", max_length=40)),
                ('rules', models.TextField(blank=True, help_text='Versioned JSON sections, or Markdown.')),
                ('tool_notes', models.TextField(blank=True, help_text='Versioned JSON sections, or Markdown.')),
                ('file_sync', models.CharField(choices=[('export_only', 'Export Only'), ('import_export', 'Import Export'), ('disabled', 'Disabled')], default='export_only', max_length=20)),
                ('memory_scope', models.CharField(choices=[('shared', 'Shared'), ('own', 'Own')], default='shared', help_text='Who may know what is learned in its sessions: every persona, or this one alone.', max_length=10)),
                ('locked', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, help_text="Fields that a person's wishes can't change.", size=None)),
                ('archived_at', models.DateTimeField(blank=True, help_text='Since when nobody speaks as it.', null=True)),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'slug'), name='one_persona_a_slug')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='PersonaFile',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('persona', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='files', to='personality.persona')),
                ('name', models.CharField(max_length=40)),
                ('content', models.TextField(blank=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'persona', 'name'), name='one_file_a_name')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='PersonaOverlay',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('persona', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='overlays', to='personality.persona')),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('fields', models.JSONField(default=dict)),
                ('rule_topics', models.JSONField(default=dict, help_text='By rule of theirs: the question it answers.')),
                ('version', models.PositiveIntegerField(default=0)),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'person', 'persona'), name='one_overlay_a_person')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='PersonaCandidate',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('persona', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='candidates', to='personality.persona')),
                ('person', nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('field', models.CharField(max_length=40)),
                ('value', models.TextField()),
                ('confidence', models.FloatField(default=0.0)),
                ('decision', models.CharField(choices=[('accepted', 'Accepted'), ('rejected', 'Not accepted'), ('deferred', 'Waiting')], max_length=10)),
                ('reason', models.CharField(max_length=60)),
                ('source', models.CharField(choices=[('rule', 'Rule'), ('model', 'Model'), ('file', 'File')], default='rule', max_length=10)),
                ('about', models.CharField(blank=True, help_text='The question it answers: length, language, …', max_length=20)),
                ('turn_key', models.CharField(blank=True, help_text="Makes a turn's decisions idempotent.", max_length=120)),
                ('place', models.PositiveSmallIntegerField(default=0, help_text='Among those of its turn.')),
                ('decided_by', models.CharField(blank=True, help_text='Who decided last.', max_length=120)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'persona', '-created_at'], name='candidate_newest_first'), models.Index(fields=['tenant', 'person', '-created_at'], name='candidate_by_person')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('turn_key', ''), _negated=True), fields=('tenant', 'persona', 'turn_key', 'place'), name='one_decision_a_turn_and_place')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='PersonaEvidence',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('candidate', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='evidence', to='personality.personacandidate')),
                ('quote', models.TextField(blank=True)),
                ('weight', models.FloatField(default=0.0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
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
            name='PersonaRevision',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('persona', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='personality.persona')),
                ('person', nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('number', models.PositiveIntegerField()),
                ('before', models.JSONField(null=True)),
                ('after', models.JSONField()),
                ('actor', models.CharField(max_length=120)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('candidate', nebo.tenants.isolation.TenantForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='personality.personacandidate')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'persona', 'person', 'number'), name='one_revision_a_number', nulls_distinct=False)],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("persona"),
        IsolateTenant("personafile"),
        IsolateTenant("personaoverlay"),
        IsolateTenant("personacandidate"),
        IsolateTenant("personaevidence"),
        IsolateTenant("personarevision"),
        EnforceTenantKeys("personafile"),
        EnforceTenantKeys("personaoverlay"),
        EnforceTenantKeys("personacandidate"),
        EnforceTenantKeys("personaevidence"),
        EnforceTenantKeys("personarevision"),
        AppendOnly("personarevision", roles=("app",)),
    ]
