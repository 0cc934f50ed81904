"""Secrets of authenticator apps and seeds of recovery codes, which stood there as they are, are sealed."""

from django.db import migrations

from nebo.tenants.sealed_rows import SealSecondFactors


class Migration(migrations.Migration):

    dependencies = [
        ('workspace', '0002_connect_codes'),
        ('mfa', '0003_authenticator_type_uniq'),
    ]

    operations = [SealSecondFactors()]
