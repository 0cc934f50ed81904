"""What somebody asked to have forgotten, until it is decided."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
import nebo.tenants.ids
import nebo.tenants.isolation
from django.db import migrations, models
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):
    dependencies = [
        ("agent_sessions", "0005_append_only"),
        ("memories", "0010_audit_functions"),
        ("tenants", "0004_lookups"),
    ]

    operations = [
        migrations.CreateModel(
            name="ForgetRequest",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("what", models.CharField(max_length=200)),
                (
                    "memory_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(),
                        help_text="What it could mean when it was said.",
                        size=None,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "Open"), ("forgotten", "Forgotten"), ("kept", "Kept")],
                        default="open",
                        max_length=10,
                    ),
                ),
                (
                    "forgotten_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), default=list, size=None
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("decided_at", models.DateTimeField(null=True)),
                ("decided_by", models.CharField(blank=True, max_length=120)),
                (
                    "message",
                    nebo.tenants.isolation.TenantForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="agent_sessions.message",
                    ),
                ),
                (
                    "profile",
                    nebo.tenants.isolation.TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tenants.userprofile",
                    ),
                ),
                (
                    "session",
                    nebo.tenants.isolation.TenantForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="agent_sessions.session",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
                (
                    "todo",
                    nebo.tenants.isolation.TenantForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="memories.todo",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "base_manager_name": "unscoped",
                "default_manager_name": "unscoped",
                "indexes": [
                    models.Index(
                        fields=["tenant", "profile", "status", "-created_at"], name="forget_newest_first"
                    )
                ],
            },
            managers=[
                ("unscoped", django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("forgetrequest"),
        EnforceTenantKeys("forgetrequest"),
    ]
