"""Events as a stream, in the order of their transactions."""

import django.db.models.deletion
import django.db.models.manager
import nebo.tenants.ids
from django.db import migrations, models
from nebo.postgres.sql_files import SqlFunction
from nebo.tenants.isolation import IsolateTenant


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0001_initial'),
        ('tenants', '0004_suspended'),
    ]

    operations = [
        migrations.CreateModel(
            name='EventStream',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('read_at', models.DateTimeField()),
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
            model_name='event',
            name='xact',
            field=models.BigIntegerField(default=0, help_text='Number of the transaction; 0 for tests of a webhook.'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['tenant', 'xact', 'created_at', 'id'], name='event_in_order'),
        ),
        migrations.AddField(
            model_name='eventstream',
            name='tenant',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant'),
        ),
        migrations.AddConstraint(
            model_name='eventstream',
            constraint=models.UniqueConstraint(fields=('tenant',), name='one_event_stream_a_tenant'),
        ),
        IsolateTenant("eventstream"),
        SqlFunction("events_note"),
    ]
