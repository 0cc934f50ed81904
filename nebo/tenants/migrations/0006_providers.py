"""Teams may have chat models and vectors from providers of their own."""

import django.db.models.deletion
import django.db.models.manager
from django.db import migrations, models

import nebo.tenants.ids
import nebo.tenants.sealing
from nebo.tenants.isolation import IsolateTenant


class Migration(migrations.Migration):

    dependencies = [
        ('tenants', '0005_key_trust'),
    ]

    operations = [
        migrations.CreateModel(
            name='ModelProvider',
            fields=[
                ('id', models.UUIDField(default=nebo.tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('use', models.CharField(choices=[('chat', 'Chat'), ('embedding', 'Embedding')], max_length=10)),
                ('kind', models.CharField(choices=[('openai', 'OpenAI, or what speaks its API'), ('anthropic', 'Anthropic'), ('ollama', 'Ollama')], max_length=10)),
                ('base_url', models.CharField(max_length=2000)),
                ('model', models.CharField(max_length=200)),
                ('sealed_key', nebo.tenants.sealing.SealedField(blank=True)),
                ('changed_at', models.DateTimeField()),
                ('resting_since', models.DateTimeField(help_text='When it was first left alone, since it failed.', null=True)),
                ('resting_reason', models.CharField(blank=True, max_length=200)),
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
        migrations.AddConstraint(
            model_name='modelprovider',
            constraint=models.UniqueConstraint(fields=('tenant', 'use'), name='one_provider_a_use'),
        ),
        IsolateTenant("modelprovider"),
    ]
