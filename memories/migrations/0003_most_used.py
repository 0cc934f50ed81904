"""The first few of very many memories, and a memory by its words, each by an index of its own."""

import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('agent_sessions', '0003_message_trust'),
        ('memories', '0002_agent_trust'),
        ('personality', '0002_evidence_message'),
        ('tenants', '0005_key_trust'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='memory',
            name='memory_pinned',
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(models.F('tenant'), models.F('person'), django.db.models.functions.text.MD5('value'), name='memory_by_words'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('pinned', True), ('status', 'active')), fields=['tenant', 'person', '-last_reinforced', '-created_at'], name='memory_pinned'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(models.Q(('layer', 'tacit'), ('pinned', True), _connector='OR'), ('status', 'active'), models.Q(('namespace', 'tacit/personality'), _negated=True)), fields=['tenant', 'person', '-access_count', '-last_reinforced'], name='memory_most_used'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('namespace', 'tacit/personality'), ('status', 'active'), models.Q(('key', 'directive'), _negated=True)), fields=['tenant', 'person', '-access_count', '-last_reinforced'], name='style_most_used'),
        ),
    ]
