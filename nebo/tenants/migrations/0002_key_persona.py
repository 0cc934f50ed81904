"""A key may speak as a persona, which has a tenant: the two apps name each other, so one of them comes twice."""

import django.db.models.deletion
from django.db import migrations

from nebo.postgres.sql_files import SqlFunction
from nebo.tenants.isolation import EnforceTenantKeys, TenantForeignKey


class Migration(migrations.Migration):

    dependencies = [
        ('personality', '0001_initial'),
        ('tenants', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='apikey',
            name='persona',
            field=TenantForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='personality.persona'),
        ),
        EnforceTenantKeys("apikey", fields=("persona",)),
        SqlFunction("nebo_find_key", callers=("app", "operator")),
    ]
