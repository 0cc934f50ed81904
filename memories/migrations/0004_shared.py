"""Since when a memory is the team's, and who shared it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('agent_sessions', '0003_message_trust'),
        ('memories', '0003_most_used'),
        ('personality', '0002_evidence_message'),
        ('tenants', '0009_team_memory'),
    ]

    operations = [
        migrations.AddField(
            model_name='memory',
            name='shared_at',
            field=models.DateTimeField(blank=True, help_text='Since when the team may recall it.', null=True),
        ),
        migrations.AddField(
            model_name='memory',
            name='shared_by',
            field=models.CharField(blank=True, default='', help_text='Who shared it.', max_length=120),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('shared_at__isnull', False)), fields=['tenant', 'shared_at'], name='memory_shared'),
        ),
    ]
