"""The audit log is sealed into a chain; what an erasure takes out of it leaves a gap with its digests."""

import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
from django.db import migrations, models

import nebo.tenants.ids
from nebo.tenants.isolation import AppendOnly, IsolateTenant


class Migration(migrations.Migration):

    dependencies = [
        ('memories', '0008_unions'),
        ('tenants', '0005_windows'),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditGap',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('seal', models.PositiveBigIntegerField()),
                ('entries', models.PositiveIntegerField()),
                ('leaves', models.BinaryField()),
                ('entry_id', models.UUIDField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
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
        migrations.AddField(
            model_name='auditentry',
            name='seal',
            field=models.PositiveBigIntegerField(editable=False, help_text='Set once, when it is sealed.', null=True),
        ),
        migrations.AddField(
            model_name='auditseal',
            name='last_at',
            field=models.DateTimeField(default=django.utils.timezone.now, help_text='When its newest entry was made.'),
        ),
        migrations.AddField(
            model_name='auditseal',
            name='leaves',
            field=models.BinaryField(help_text='SHA-256 of each entry, 32 bytes each.', null=True),
        ),
        migrations.AddField(
            model_name='auditseal',
            name='root',
            field=models.CharField(default='', help_text='SHA-256 of the leaves.', max_length=64),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['tenant', 'seal'], name='audit_by_seal'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(condition=models.Q(('seal', None)), fields=['tenant', 'at'], name='audit_unsealed'),
        ),
        migrations.AddField(
            model_name='auditgap',
            name='tenant',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant'),
        ),
        migrations.AddIndex(
            model_name='auditgap',
            index=models.Index(fields=['tenant', 'seal'], name='gap_by_seal'),
        ),
        IsolateTenant("auditgap"),
        AppendOnly("auditgap"),
    ]
