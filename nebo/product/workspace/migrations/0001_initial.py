"""Invitations, codes that connect an agent, and the doors for those who belong to no team yet."""

import django.db.models.deletion
import django.db.models.manager
import nebo.tenants.ids
import nebo.tenants.isolation
from django.conf import settings
from django.db import migrations, models
from nebo.postgres.sql_files import SqlFunction
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('tenants', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('public_id', models.CharField(editable=False, max_length=16, unique=True)),
                ('digest', models.CharField(editable=False, max_length=64)),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('admin', 'Admin'), ('member', 'Member')], default='member', max_length=10)),
                ('label', models.CharField(blank=True, help_text='Whom it is for, as the inviter knows them.', max_length=200)),
                ('person', nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, help_text='Whom the login stands for: as chosen, or as made when it was accepted.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('accepted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'expires_at'], name='invitation_by_age'), models.Index(condition=models.Q(('person__isnull', False)), fields=['tenant', 'person'], name='invitation_by_person')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='ConnectCode',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'expires_at'], name='connect_code_by_age'), models.Index(fields=['tenant', 'person'], name='connect_code_by_person')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("invitation"),
        IsolateTenant("connectcode"),
        EnforceTenantKeys("invitation"),
        EnforceTenantKeys("connectcode"),
        SqlFunction("nebo_find_invitation", callers=("app", "operator")),
        SqlFunction("nebo_find_connect_code", callers=("app", "operator")),
        SqlFunction("nebo_make_tenant", callers=("app",)),
    ]
