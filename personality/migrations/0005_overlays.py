"""A person's own view of a persona, decisions with their evidence, revisions that nobody rewrites."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.manager
import nebo.tenants.ids
import nebo.tenants.isolation
from django.db import migrations, models

from nebo.tenants.isolation import AppendOnly, EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):

    dependencies = [
        ('agent_sessions', '0005_append_only'),
        ('personality', '0004_tenant_keys'),
        ('tenants', '0004_lookups'),
    ]

    operations = [
        migrations.CreateModel(
            name='PersonaOverlay',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('fields', models.JSONField(default=dict)),
                ('version', models.PositiveIntegerField(default=0)),
                ('updated_at', models.DateTimeField(auto_now=True)),
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
        migrations.RemoveConstraint(
            model_name='personacandidate',
            name='one_decision_a_turn_and_field',
        ),
        migrations.RemoveConstraint(
            model_name='personarevision',
            name='one_revision_a_number',
        ),
        migrations.RemoveIndex(
            model_name='personaevidence',
            name='evidence_by_candidate',
        ),
        migrations.AddField(
            model_name='persona',
            name='archived_at',
            field=models.DateTimeField(blank=True, help_text='Since when nobody speaks as it.', null=True),
        ),
        migrations.AddField(
            model_name='persona',
            name='language',
            field=models.CharField(blank=True, help_text="Empty: the person's own.", max_length=40),
        ),
        migrations.AddField(
            model_name='persona',
            name='locked',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, help_text="Fields that a person's wishes can't change.", size=None),
        ),
        migrations.AddField(
            model_name='persona',
            name='memory_scope',
            field=models.CharField(choices=[('shared', 'Shared'), ('own', 'Own')], default='shared', help_text='Who may know what is learned in its sessions: every persona, or this one alone.', max_length=10),
        ),
        migrations.AddField(
            model_name='personacandidate',
            name='decided_by',
            field=models.CharField(blank=True, help_text='Who decided last.', max_length=120),
        ),
        migrations.AddField(
            model_name='personacandidate',
            name='place',
            field=models.PositiveSmallIntegerField(default=0, help_text='Among those of its turn.'),
        ),
        migrations.AddField(
            model_name='personacandidate',
            name='source',
            field=models.CharField(choices=[('rule', 'Rule'), ('model', 'Model'), ('file', 'File')], default='rule', max_length=10),
        ),
        migrations.AddField(
            model_name='personacandidate',
            name='updated_at',
            field=models.DateTimeField(auto_now=True),
        ),
        migrations.AddField(
            model_name='personaevidence',
            name='weight',
            field=models.FloatField(default=0.0),
        ),
        migrations.AddField(
            model_name='personarevision',
            name='profile',
            field=nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile'),
        ),
        migrations.AlterField(
            model_name='personacandidate',
            name='profile',
            field=nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile'),
        ),
        migrations.AddIndex(
            model_name='personacandidate',
            index=models.Index(fields=['tenant', 'profile', '-created_at'], name='candidate_by_person'),
        ),
        migrations.AddConstraint(
            model_name='personacandidate',
            constraint=models.UniqueConstraint(condition=models.Q(('turn_key', ''), _negated=True), fields=('tenant', 'persona', 'turn_key', 'place'), name='one_decision_a_turn_and_place'),
        ),
        migrations.AddConstraint(
            model_name='personaevidence',
            constraint=models.UniqueConstraint(fields=('tenant', 'candidate', 'message'), name='one_piece_of_evidence_a_message'),
        ),
        migrations.AddConstraint(
            model_name='personarevision',
            constraint=models.UniqueConstraint(fields=('tenant', 'persona', 'profile', 'number'), name='one_revision_a_number', nulls_distinct=False),
        ),
        migrations.AddField(
            model_name='personaoverlay',
            name='persona',
            field=nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='overlays', to='personality.persona'),
        ),
        migrations.AddField(
            model_name='personaoverlay',
            name='profile',
            field=nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile'),
        ),
        migrations.AddField(
            model_name='personaoverlay',
            name='tenant',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant'),
        ),
        migrations.AddConstraint(
            model_name='personaoverlay',
            constraint=models.UniqueConstraint(fields=('tenant', 'profile', 'persona'), name='one_overlay_a_person'),
        ),
        IsolateTenant("personaoverlay"),
        EnforceTenantKeys("personaoverlay"),
        EnforceTenantKeys("personarevision", ("profile",)),
        AppendOnly("personarevision"),
    ]
