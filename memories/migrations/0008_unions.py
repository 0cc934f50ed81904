"""Entities that can be merged and split, and memories that can be folded and taken apart again."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
from django.db import migrations, models

import nebo.tenants.ids
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant, TenantForeignKey


class Migration(migrations.Migration):
    dependencies = [
        ("memories", "0007_todo_closing"),
        ("tenants", "0004_lookups"),
    ]

    operations = [
        migrations.CreateModel(
            name="Fold",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(help_text="same or scattered", max_length=10)),
                ("worded_by", models.CharField(help_text="rules, or the model", max_length=240)),
                ("prompt_hash", models.CharField(blank=True, max_length=64)),
                ("actor", models.CharField(max_length=120)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("undone_by", models.CharField(blank=True, max_length=120)),
                (
                    "memory",
                    TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memories.memory",
                    ),
                ),
                (
                    "profile",
                    TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tenants.userprofile",
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
            ],
            options={
                "abstract": False,
                "base_manager_name": "unscoped",
                "default_manager_name": "unscoped",
            },
            managers=[
                ("unscoped", django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name="FoldMember",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("direct", models.BooleanField(default=True)),
                (
                    "fold",
                    TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="memories.fold",
                    ),
                ),
                (
                    "memory",
                    TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memories.memory",
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
            ],
            options={
                "abstract": False,
                "base_manager_name": "unscoped",
                "default_manager_name": "unscoped",
            },
            managers=[
                ("unscoped", django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name="MergeProposal",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "Open"), ("merged", "Merged"), ("dismissed", "Dismissed")],
                        default="open",
                        max_length=10,
                    ),
                ),
                (
                    "evidence",
                    models.JSONField(default=dict, help_text="Why: how alike they sound and are spelled."),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("decided_by", models.CharField(blank=True, max_length=120)),
                (
                    "first",
                    TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memories.entity",
                    ),
                ),
                (
                    "profile",
                    TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tenants.userprofile",
                    ),
                ),
                (
                    "second",
                    TenantForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memories.entity"
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
            ],
            options={
                "abstract": False,
                "base_manager_name": "unscoped",
                "default_manager_name": "unscoped",
            },
            managers=[
                ("unscoped", django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name="SaidRefs",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "entity_refs",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=160), default=list, size=None
                    ),
                ),
                ("memory_key", models.CharField(blank=True, max_length=300)),
                (
                    "memory",
                    TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memories.memory",
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
            ],
            options={
                "abstract": False,
                "base_manager_name": "unscoped",
                "default_manager_name": "unscoped",
            },
            managers=[
                ("unscoped", django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name="Curation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("last_run_at", models.DateTimeField()),
                ("last_memory_count", models.PositiveIntegerField(help_text="Live memories at that moment.")),
                ("last_memory_version", models.PositiveBigIntegerField()),
                ("counts", models.JSONField(default=dict)),
                (
                    "profile",
                    TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tenants.userprofile",
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
            ],
            options={
                "abstract": False,
                "base_manager_name": "unscoped",
                "default_manager_name": "unscoped",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "profile"), name="one_curation_a_person")
                ],
            },
            managers=[
                ("unscoped", django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name="EntityMerge",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("actor", models.CharField(max_length=120)),
                ("memories", models.PositiveIntegerField(default=0, help_text="How many it moved.")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("undone_by", models.CharField(blank=True, max_length=120)),
                (
                    "entity",
                    TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memories.entity",
                    ),
                ),
                (
                    "into",
                    TenantForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memories.entity"
                    ),
                ),
                (
                    "profile",
                    TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tenants.userprofile",
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
            ],
            options={
                "abstract": False,
                "base_manager_name": "unscoped",
                "default_manager_name": "unscoped",
                "indexes": [
                    models.Index(fields=["tenant", "profile", "-created_at"], name="merge_newest_first")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at", None)),
                        fields=("tenant", "entity"),
                        name="one_merge_an_entity",
                    )
                ],
            },
            managers=[
                ("unscoped", django.db.models.manager.Manager()),
            ],
        ),
        migrations.AddIndex(
            model_name="fold",
            index=models.Index(fields=["tenant", "profile", "-created_at"], name="fold_newest_first"),
        ),
        migrations.AddConstraint(
            model_name="fold",
            constraint=models.UniqueConstraint(fields=("tenant", "memory"), name="one_fold_a_memory"),
        ),
        migrations.AddIndex(
            model_name="foldmember",
            index=models.Index(fields=["tenant", "memory"], name="folds_of_memory"),
        ),
        migrations.AddConstraint(
            model_name="foldmember",
            constraint=models.UniqueConstraint(fields=("tenant", "fold", "memory"), name="one_member_a_fold"),
        ),
        migrations.AddIndex(
            model_name="mergeproposal",
            index=models.Index(
                fields=["tenant", "profile", "status", "-created_at"], name="proposal_newest_first"
            ),
        ),
        migrations.AddConstraint(
            model_name="mergeproposal",
            constraint=models.UniqueConstraint(
                fields=("tenant", "first", "second"), name="one_proposal_a_pair"
            ),
        ),
        migrations.AddConstraint(
            model_name="saidrefs",
            constraint=models.UniqueConstraint(fields=("tenant", "memory"), name="one_said_a_memory"),
        ),
        IsolateTenant("mergeproposal"),
        IsolateTenant("entitymerge"),
        IsolateTenant("saidrefs"),
        IsolateTenant("fold"),
        IsolateTenant("foldmember"),
        IsolateTenant("curation"),
        EnforceTenantKeys("mergeproposal"),
        EnforceTenantKeys("entitymerge"),
        EnforceTenantKeys("saidrefs"),
        EnforceTenantKeys("fold"),
        EnforceTenantKeys("foldmember"),
        EnforceTenantKeys("curation"),
    ]
