"""Runs can be approved, rejected and undone: what came of that, and which run a todo is from."""

import django.db.models.deletion
from django.db import migrations, models

from nebo.tenants.isolation import EnforceTenantKeys, TenantForeignKey


class Migration(migrations.Migration):
    dependencies = [("memories", "0005_append_only")]

    operations = [
        migrations.AddField(
            model_name="extractionrun",
            name="outcome",
            field=models.JSONField(default=dict, help_text="What approving, rejecting or undoing it did."),
        ),
        migrations.AlterField(
            model_name="extractionrun",
            name="status",
            field=models.CharField(
                choices=[
                    ("applied", "Applied"),
                    ("review", "Review"),
                    ("rejected", "Rejected"),
                    ("reverted", "Reverted"),
                ],
                default="applied",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="todo",
            name="run",
            field=TenantForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="memories.extractionrun",
            ),
        ),
        EnforceTenantKeys("todo", fields=("run",)),
    ]
