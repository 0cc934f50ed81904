"""Whom an answer is about, so that it goes when they are erased."""

import django.db.models.deletion
from django.db import migrations

import nebo.tenants.isolation
from nebo.tenants.isolation import EnforceTenantKeys


class Migration(migrations.Migration):

    dependencies = [
        ('api', '0005_answer_text'),
        ('tenants', '0005_windows'),
    ]

    operations = [
        migrations.AddField(
            model_name='idempotencyrecord',
            name='profile',
            field=nebo.tenants.isolation.TenantForeignKey(db_index=False, help_text='Whom it is about.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile'),
        ),
        EnforceTenantKeys("idempotencyrecord", fields=("profile",)),
    ]
