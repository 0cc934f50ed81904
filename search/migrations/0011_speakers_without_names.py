"""Whether the person or the agent spoke: of turns without names as their speaker, and of all as `by_agent`."""

from django.db import migrations, models

FORWARD = """
UPDATE search_chunk c SET
    speaker = coalesce(nullif(c.speaker, ''), substring(c.heading FROM '] (User|Assistant):$'), ''),
    by_agent = m.role = 'assistant'
FROM agent_sessions_message m
WHERE m.tenant_id = c.tenant_id AND m.session_id = c.session_id AND m.seq = c.seq_from AND c.memory_id IS NULL
  AND (c.speaker = '' OR m.role = 'assistant')
"""
BACKWARD = """
UPDATE search_chunk SET speaker = '' WHERE memory_id IS NULL AND speaker IN ('User', 'Assistant')
"""


class Migration(migrations.Migration):
    dependencies = [("search", "0010_large_owners"), ("agent_sessions", "0009_sparse_indexes")]

    operations = [
        migrations.AddField(
            "chunk",
            "by_agent",
            models.BooleanField(db_default=False, default=False, help_text="What the agent said itself."),
        ),
        migrations.AlterField(
            "chunk",
            "speaker",
            models.CharField(blank=True, help_text="Their name, or which of the two it was.", max_length=200),
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
