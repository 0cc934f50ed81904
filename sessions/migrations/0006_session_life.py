"""Where rolling summary and spine have read up to, what became of them, and the spine in sections."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agent_sessions", "0005_append_only"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="spine",
            name="content",
        ),
        migrations.AddField(
            model_name="rollingsummary",
            name="prompt_hash",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="rollingsummary",
            name="seq_from",
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="session",
            name="rolled_seq",
            field=models.PositiveIntegerField(
                default=0, help_text="The rolling summary has read up to here."
            ),
        ),
        migrations.AddField(
            model_name="session",
            name="spine_seq",
            field=models.PositiveIntegerField(default=0, help_text="The spine has read up to here."),
        ),
        migrations.AddField(
            model_name="session",
            name="turns_to_roll",
            field=models.PositiveIntegerField(
                default=0, help_text="Messages of the person that no rolling summary speaks for yet."
            ),
        ),
        migrations.AddField(
            model_name="sessionstate",
            name="curator_memory_count",
            field=models.PositiveIntegerField(default=0, help_text="Live memories at that run."),
        ),
        migrations.AddField(
            model_name="sessionstate",
            name="curator_run_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="sessionstate",
            name="rolling_success_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="sessionsummary",
            name="prompt_hash",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="sessionsummary",
            name="seq_to",
            field=models.PositiveIntegerField(default=0, help_text="The last message it speaks for."),
        ),
        migrations.AddField(
            model_name="spine",
            name="prompt_hash",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="spine",
            name="sections",
            field=models.JSONField(default=dict),
        ),
        migrations.RemoveField(model_name="sessionstate", name="rolling_error"),
        migrations.AddField(
            model_name="sessionstate",
            name="rolling_error",
            field=models.JSONField(help_text="reason and detail; null once it went well.", null=True),
        ),
        migrations.AlterField(
            model_name="sessionstate",
            name="spine_message_count",
            field=models.PositiveIntegerField(default=0, help_text="Messages since the last spine."),
        ),
        migrations.AlterField(
            model_name="spine",
            name="message_count",
            field=models.PositiveIntegerField(default=0, help_text="Messages since the version before."),
        ),
    ]
