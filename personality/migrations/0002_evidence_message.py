"""A wish stands in a message, whose session has a persona: the two apps name each other, so one of them comes twice."""

import django.db.models.deletion
from django.db import migrations, models

from nebo.tenants.isolation import EnforceTenantKeys, TenantForeignKey


class Migration(migrations.Migration):

    dependencies = [
        ('agent_sessions', '0001_initial'),
        ('personality', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='personaevidence',
            name='message',
            field=TenantForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='agent_sessions.message'),
        ),
        migrations.AddConstraint(
            model_name='personaevidence',
            constraint=models.UniqueConstraint(fields=('tenant', 'candidate', 'message'), name='one_piece_of_evidence_a_message'),
        ),
        EnforceTenantKeys("personaevidence", fields=("message",)),
    ]
