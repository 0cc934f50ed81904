from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agent_sessions", "0013_redaction")]

    operations = [
        migrations.AddField(
            model_name="session",
            name="memory_tool_at",
            field=models.DateTimeField(
                null=True, blank=True, editable=False, help_text="When the agent last used its memory here."
            ),
        ),
    ]
