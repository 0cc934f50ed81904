"""Chunks of text, their postings and their vectors."""

import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
import nebo.tenants.isolation
import pgvector.django.halfvec
from django.db import migrations, models
from nebo.postgres.sql_files import SqlFile, SqlFunction
from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('agent_sessions', '0001_initial'),
        ('memories', '0001_initial'),
        ('personality', '0001_initial'),
        ('tenants', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='EmbeddingModel',
            fields=[
                ('id', models.SmallAutoField(primary_key=True, serialize=False)),
                ('provider', models.CharField(max_length=40)),
                ('name', models.CharField(max_length=200)),
                ('dimensions', models.PositiveSmallIntegerField()),
                ('state', models.CharField(choices=[('building', 'Building'), ('serving', 'Serving'), ('retired', 'Retired')], default='serving', max_length=10)),
                ('state_since', models.DateTimeField(default=django.utils.timezone.now)),
                ('served_until', models.DateTimeField(help_text='Empty for one whose vectors were never complete.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('provider', 'name', 'dimensions'), name='one_row_an_embedding_model'), models.UniqueConstraint(condition=models.Q(('state__in', ['serving', 'building'])), fields=('state',), name='one_embedding_model_serves_and_one_is_built')],
            },
        ),
        migrations.CreateModel(
            name='Chunk',
            fields=[
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('person', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.userprofile')),
                ('source', models.CharField(choices=[('memory', 'Memory'), ('session', 'Session')], max_length=10)),
                ('memory', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='chunks', to='memories.memory')),
                ('session', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='agent_sessions.session')),
                ('persona', nebo.tenants.isolation.TenantForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='personality.persona')),
                ('seq_from', models.PositiveIntegerField(help_text='First message of the passage.', null=True)),
                ('seq_to', models.PositiveIntegerField(help_text='Last message of the passage.', null=True)),
                ('speaker', models.CharField(blank=True, help_text='Their name, or which of the two it was.', max_length=200)),
                ('by_agent', models.BooleanField(db_default=False, default=False, help_text='What the agent said itself.')),
                ('index', models.PositiveIntegerField(default=0, help_text='Number of the chunk within its source.')),
                ('start', models.PositiveIntegerField(default=0)),
                ('end', models.PositiveIntegerField(default=0)),
                ('heading', models.CharField(blank=True, max_length=400)),
                ('text', models.TextField()),
                ('terms', models.TextField(blank=True, help_text='Indexed beside the text: pairs of characters where no spaces are.')),
                ('language', models.CharField(default='english', help_text='Text search configuration.', max_length=40)),
                ('length', models.PositiveIntegerField(default=0, editable=False, help_text='Lexemes; set by trigger.')),
                ('occurred_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(condition=models.Q(('memory__isnull', False)), fields=['tenant', 'memory'], name='chunk_by_its_memory'), models.Index(fields=['tenant', 'session', 'seq_from'], name='chunk_by_session'), models.Index(condition=models.Q(('memory__isnull', False)), fields=['tenant', 'person', 'id'], name='chunk_of_memory'), models.Index(condition=models.Q(('persona__isnull', False), models.Q(('memory__isnull', False), ('session__isnull', False)), _connector='OR'), fields=['tenant', 'person', 'id'], name='chunk_not_for_all')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('memory__isnull', False), ('source', 'memory')), models.Q(('memory__isnull', True), ('seq_from__isnull', False), ('session__isnull', False), ('source', 'session')), _connector='OR'), name='chunk_names_its_source')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='Posting',
            fields=[
                ('tenant', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='tenants.tenant')),
                ('pk', models.CompositePrimaryKey('tenant_id', 'person_number', 'lexeme', 'chunk_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('chunk', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='search.chunk')),
                ('person_number', models.IntegerField(help_text="The person's number in the corpus.")),
                ('length', models.SmallIntegerField(help_text='Of the chunk, in lexemes.')),
                ('tf', models.SmallIntegerField()),
                ('lexeme', models.CharField(db_collation='C', max_length=255)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'person_number', 'lexeme'], name='posting_by_lexeme')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='Corpus',
            fields=[
                ('tenant', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='tenants.tenant')),
                ('pk', models.CompositePrimaryKey('tenant_id', 'person_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('person', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='tenants.userprofile')),
                ('chunks', models.BigIntegerField(default=0)),
                ('length', models.BigIntegerField(default=0)),
                ('person_number', models.IntegerField(editable=False, unique=True)),
                ('indexed_model_id', models.SmallIntegerField(editable=False, null=True)),
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
        migrations.CreateModel(
            name='Embedding',
            fields=[
                ('tenant', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='tenants.tenant')),
                ('pk', models.CompositePrimaryKey('tenant_id', 'person_id', 'model_id', 'chunk_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('person', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='tenants.userprofile')),
                ('model', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='search.embeddingmodel')),
                ('chunk', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='search.chunk')),
                ('vector', pgvector.django.halfvec.HalfVectorField()),
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
        migrations.CreateModel(
            name='PendingEmbedding',
            fields=[
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('pk', models.CompositePrimaryKey('tenant_id', 'model_id', 'chunk_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('person', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='tenants.userprofile')),
                ('model', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='search.embeddingmodel')),
                ('chunk', nebo.tenants.isolation.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='search.chunk')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'chunk'], name='pending_by_chunk'), models.Index(condition=models.Q(('attempts', 0)), fields=['tenant', 'person', 'model'], name='pending_by_person')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='CachedEmbedding',
            fields=[
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('pk', models.CompositePrimaryKey('tenant_id', 'model_id', 'content_hash', blank=True, editable=False, primary_key=True, serialize=False)),
                ('model', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='search.embeddingmodel')),
                ('content_hash', models.BinaryField(max_length=32)),
                ('vector', pgvector.django.halfvec.HalfVectorField()),
                ('used_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'unscoped',
                'default_manager_name': 'unscoped',
                'indexes': [models.Index(fields=['tenant', 'used_at'], name='cached_embedding_by_age')],
            },
            managers=[
                ('unscoped', django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("chunk"),
        IsolateTenant("posting", key=()),
        IsolateTenant("corpus", key=("person_id",)),
        IsolateTenant("embedding", key=("person_id", "model_id", "chunk_id")),
        IsolateTenant("pendingembedding", key=("model_id", "chunk_id")),
        IsolateTenant("cachedembedding", key=("model_id", "content_hash")),
        EnforceTenantKeys("chunk"),
        EnforceTenantKeys("pendingembedding"),
        SqlFile("layout"),
        SqlFunction("search_chunk_measure"),
        SqlFunction("search_chunk_added"),
        SqlFunction("search_chunk_removed"),
        SqlFunction("search_chunk_unchanging"),
        SqlFunction("search_nearest"),
    ]
