"""Primary keys with the tenant, and row-level security."""

from django.db import migrations

from nebo.tenants.isolation import IsolateTenant


class Migration(migrations.Migration):
    dependencies = [("search", "0002_scanned")]

    operations = [
        IsolateTenant("chunk"),
        IsolateTenant("posting", key=('profile_id', 'lexeme', 'chunk_id'), include=('tf', 'length')),
        IsolateTenant("corpus", key=('profile_id',), include=()),
        IsolateTenant("embedding", key=('profile_id', 'model_id', 'chunk_id'), include=()),
        IsolateTenant("pendingembedding", key=('model_id', 'chunk_id'), include=()),
        IsolateTenant("cachedembedding", key=('model_id', 'content_hash'), include=()),
        IsolateTenant("cachedretrieval"),
    ]
