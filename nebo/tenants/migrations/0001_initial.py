"""Tenants, logins, people, keys, and providers of a team's own.

A key that speaks as a persona is in 0002_key_persona: personas stand above.
"""

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.manager
import nebo.tenants.ids
import nebo.tenants.isolation
import nebo.tenants.models
import nebo.tenants.sealing
from django.conf import settings
from django.db import migrations, models
from nebo.postgres.sql_files import SqlFunction, SqlTable
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant, Withhold


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254, unique=True)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('language', models.CharField(blank=True, db_default='', help_text='Of pages and mails. Empty: as the browser asks.', max_length=10)),
                ('is_active', models.BooleanField(default=True)),
                ('is_staff', models.BooleanField(default=False, help_text='May enter the admin site (operators only).')),
                ('date_joined', models.DateTimeField(auto_now_add=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='user_email_any_case')],
            },
        ),
        migrations.CreateModel(
            name='Tenant',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('slug', models.SlugField(max_length=63, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('is_active', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('first_call_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('plan', models.CharField(blank=True, db_default='', default='', help_text='What they pay for, in your words.', max_length=60)),
                ('calls_per_minute', models.PositiveIntegerField(blank=True, help_text='Calls of all its keys together. Empty: as the server is set (NEBO_TENANT_REQUESTS_PER_MINUTE).', null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('auto_extract', models.BooleanField(default=True, help_text='New sessions learn from their turns.')),
                ('compaction_tokens', models.PositiveIntegerField(default=32000, help_text='A session is compacted past this size, in tokens.', validators=[django.core.validators.MinValueValidator(1000), django.core.validators.MaxValueValidator(1000000)])),
                ('review_share', models.FloatField(default=0.5, help_text="A run that would change more than this share of a person's memories waits for review.", validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('sensitive_classes', models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='Of each class of sensitive matters that is not simply learned: “review” or “never”.', validators=[nebo.tenants.models.check_choices])),
                ('user_memory', models.BooleanField(default=True, help_text='Agents are given what is remembered of people; off, nothing of it.')),
                ('recall', models.BooleanField(default=True, help_text='What fits a question is brought up by itself; a session may say otherwise.')),
                ('relevance_floor', models.FloatField(blank=True, help_text='What is less like the question than this (a cosine) is not brought up. Empty: as measured.', null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('team_memory', models.BooleanField(db_default=False, default=False, help_text="What somebody shared with the team, everybody's agents may recall, with who said so.")),
                ('admins_look', models.BooleanField(db_default=False, default=False, help_text="Owners and admins may look at everybody's memories; each look is logged.")),
                ('archive_days', models.PositiveIntegerField(blank=True, default=90, help_text='Messages a summary speaks for are archived this long after they were recorded. In days; 0 or empty keeps for ever.', null=True, validators=[django.core.validators.MaxValueValidator(36500)])),
                ('event_days', models.PositiveIntegerField(blank=True, default=None, help_text='Archived messages are removed this long after that. In days; 0 or empty keeps for ever.', null=True, validators=[django.core.validators.MaxValueValidator(36500)])),
                ('trash_days', models.PositiveIntegerField(blank=True, default=30, help_text='Deleted and expired memories are removed this long after that. In days; 0 or empty keeps for ever.', null=True, validators=[django.core.validators.MaxValueValidator(36500)])),
                ('audit_days', models.PositiveIntegerField(blank=True, default=None, help_text='Entries of the audit log are removed at this age. In days; 0 or empty keeps for ever.', null=True, validators=[django.core.validators.MaxValueValidator(36500)])),
                ('job_days', models.PositiveIntegerField(blank=True, default=14, help_text='Jobs that succeeded are removed this long after that. In days; 0 or empty keeps for ever.', null=True, validators=[django.core.validators.MaxValueValidator(36500)])),
                ('candidate_days', models.PositiveIntegerField(blank=True, default=180, help_text='Changes of a persona that were not accepted are removed this long after they were asked. In days; 0 or empty keeps for ever.', null=True, validators=[django.core.validators.MaxValueValidator(36500)])),
                ('export_days', models.PositiveIntegerField(blank=True, default=3, help_text="Exports of a person's data can be downloaded this long. In days; 0 or empty keeps for ever.", null=True, validators=[django.core.validators.MaxValueValidator(36500)])),
            ],
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('admin', 'Admin'), ('member', 'Member')], default='member', max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'user'), name='one_membership_a_tenant')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='UserProfile',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('kind', models.CharField(choices=[('person', 'Person'), ('shared', 'Shared')], default='person', max_length=10)),
                ('external_id', models.CharField(max_length=255)),
                ('login', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='profiles', to=settings.AUTH_USER_MODEL)),
                ('display_name', models.CharField(blank=True, max_length=200)),
                ('location', models.CharField(blank=True, max_length=200)),
                ('timezone', models.CharField(blank=True, max_length=64)),
                ('occupation', models.CharField(blank=True, max_length=200)),
                ('interests', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), blank=True, default=list, size=None)),
                ('goals', models.TextField(blank=True)),
                ('context', models.TextField(blank=True)),
                ('communication_style', models.TextField(blank=True)),
                ('memory_version', models.BigIntegerField(default=0, editable=False, help_text='Grows with every write.')),
                ('words_taken', models.BigIntegerField(default=0, editable=False, help_text='Grows when words are withheld or redacted.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'login'], name='person_by_login')],
                'constraints': [models.UniqueConstraint(fields=('tenant', 'kind', 'external_id'), name='one_profile_an_external_id'), models.CheckConstraint(condition=models.Q(('external_id', ''), _negated=True), name='person_has_external_id')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('name', models.CharField(blank=True, max_length=200)),
                ('public_id', models.CharField(editable=False, max_length=16, unique=True)),
                ('digest', models.CharField(editable=False, max_length=64)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), default=list, size=None)),
                ('person', nebo.tenants.isolation.TenantForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='keys', to='tenants.userprofile')),
                ('trust', models.CharField(blank=True, choices=[('user', 'The person’s own'), ('assistant', 'The assistant’s'), ('tool', 'A tool’s'), ('web', 'The web’s')], help_text="Whose words it brings. Empty: each message is its role's, and what is stored is the agent's.", max_length=10)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('last_used_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'verbose_name': 'API key',
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', '-created_at'], name='key_by_tenant')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='ModelProvider',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('use', models.CharField(choices=[('chat', 'Chat'), ('embedding', 'Embedding')], max_length=10)),
                ('kind', models.CharField(choices=[('openai', 'OpenAI, or what speaks its API'), ('anthropic', 'Anthropic'), ('ollama', 'Ollama')], max_length=10)),
                ('base_url', models.CharField(max_length=2000)),
                ('model', models.CharField(max_length=200)),
                ('sealed_key', nebo.tenants.sealing.SealedField(blank=True)),
                ('changed_at', models.DateTimeField()),
                ('resting_since', models.DateTimeField(help_text='When it was first left alone, since it failed.', null=True)),
                ('resting_reason', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'use'), name='one_provider_a_use')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("membership"),
        IsolateTenant("userprofile"),
        IsolateTenant("apikey"),
        IsolateTenant("modelprovider"),
        EnforceTenantKeys("apikey"),
        # The app reads tenants and marks their first call; making and changing them is the operator's.
        Withhold("tenant", ("INSERT", "UPDATE", "DELETE"), roles=("app",), updatable=("first_call_at",)),
        # People take their messages and memories along: they leave by the doors of governance alone.
        Withhold("userprofile", ("DELETE",)),
        SqlFunction("nebo_memberships_of", callers=("app", "operator")),
        SqlTable("tenants_position"),
        SqlFunction("nebo_note_position", callers=("app", "operator")),
        SqlFunction("nebo_find_position", callers=("app", "operator")),
    ]
