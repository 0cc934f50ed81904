"""A todo says who closed it, in which message, and in which words."""

import django.db.models.deletion
from django.db import migrations, models

from nebo.tenants.isolation import EnforceTenantKeys, TenantForeignKey


class Migration(migrations.Migration):
    dependencies = [
        ("agent_sessions", "0006_session_life"),
        ("memories", "0006_runs"),
    ]

    operations = [
        migrations.AddField(
            model_name="todo",
            name="closed_by",
            field=models.CharField(blank=True, max_length=120),
        ),
        migrations.AddField(
            model_name="todo",
            name="closed_message",
            field=TenantForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="agent_sessions.message",
            ),
        ),
        migrations.AddField(
            model_name="todo",
            name="closed_quote",
            field=models.TextField(blank=True, help_text="The words that said it is settled."),
        ),
        migrations.AlterField(
            model_name="todo",
            name="status",
            field=models.CharField(
                choices=[("open", "Open"), ("done", "Done"), ("dropped", "Dropped"), ("expired", "Expired")],
                default="open",
                max_length=10,
            ),
        ),
        EnforceTenantKeys("todo", fields=("closed_message",)),
    ]
