"""Indexes that lead with the tenant and hold only what has a persona, a session, a successor or a pin."""

import django.db.models.deletion
import nebo.tenants.isolation
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('agent_sessions', '0009_sparse_indexes'),
        ('memories', '0011_forget_requests'),
        ('personality', '0006_default_persona'),
        ('tenants', '0005_windows'),
    ]

    operations = [
        migrations.AlterField(
            model_name='memory',
            name='persona',
            field=nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='personality.persona'),
        ),
        migrations.AlterField(
            model_name='memory',
            name='session',
            field=nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='agent_sessions.session'),
        ),
        migrations.AlterField(
            model_name='memory',
            name='superseded_by',
            field=nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='supersedes', to='memories.memory'),
        ),
        migrations.AlterField(
            model_name='todo',
            name='persona',
            field=nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='personality.persona'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('pinned', True)), fields=['tenant', 'profile'], name='memory_pinned'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('persona__isnull', False)), fields=['tenant', 'persona'], name='memory_of_persona'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('session__isnull', False)), fields=['tenant', 'session'], name='memory_of_session'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('superseded_by__isnull', False)), fields=['tenant', 'superseded_by'], name='memory_superseded'),
        ),
        migrations.AddIndex(
            model_name='todo',
            index=models.Index(condition=models.Q(('persona__isnull', False)), fields=['tenant', 'persona'], name='todo_of_persona'),
        ),
    ]
