"""A later table."""

import django.db.models.deletion
import django.db.models.manager
import nebo.tenants.ids
import nebo.tenants.isolation
from django.db import migrations, models
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('memories', '0001_initial'),
        ('tenants', '0002_key_persona'),
    ]

    operations = [
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('text', models.TextField()),
                ('memory', nebo.tenants.isolation.TenantForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='memories.memory')),
                ('person', nebo.tenants.isolation.TenantForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant('note'),
        EnforceTenantKeys('note'),
    ]
