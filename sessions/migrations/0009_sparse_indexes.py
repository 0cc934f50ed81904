"""An index of sessions with a persona that leads with the tenant."""

import django.db.models.deletion
import nebo.tenants.isolation
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('agent_sessions', '0008_curated_elsewhere'),
        ('personality', '0006_default_persona'),
        ('tenants', '0005_windows'),
    ]

    operations = [
        migrations.AlterField(
            model_name='session',
            name='persona',
            field=nebo.tenants.isolation.TenantForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='personality.persona'),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(condition=models.Q(('persona__isnull', False)), fields=['tenant', 'persona'], name='session_of_persona'),
        ),
    ]
