"""When somebody's memories were last looked through is known of the person, not of each of their personas."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("agent_sessions", "0007_message_ages")]

    operations = [
        migrations.RemoveField(model_name="sessionstate", name="curator_memory_count"),
        migrations.RemoveField(model_name="sessionstate", name="curator_run_at"),
    ]
