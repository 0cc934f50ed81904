"""Whether the person or the agent spoke, of turns without names: their headings say so already."""

from django.db import migrations

FORWARD = """
UPDATE search_chunk SET speaker = substring(heading FROM '] (User|Assistant):$')
WHERE memory_id IS NULL AND speaker = '' AND heading ~ '] (User|Assistant):$'
"""
BACKWARD = """
UPDATE search_chunk SET speaker = '' WHERE memory_id IS NULL AND speaker IN ('User', 'Assistant')
"""


class Migration(migrations.Migration):
    dependencies = [("search", "0010_large_owners")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
