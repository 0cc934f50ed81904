"""What retention enters by: how long messages are there, and since when they are archived."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('agent_sessions', '0006_session_life'),
        ('tenants', '0005_windows'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='message',
            index=models.Index(condition=models.Q(('archived_at', None)), fields=['tenant', 'recorded_at'], name='message_to_archive'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(condition=models.Q(('archived_at__isnull', False)), fields=['tenant', 'archived_at'], name='message_to_remove'),
        ),
    ]
