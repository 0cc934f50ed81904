"""What the app's role may not rewrite, operators may not either: they look, and the doors do the rest."""

from django.conf import settings
from django.db import migrations

UNCHANGING = "agent_sessions_message, agent_sessions_compaction, memories_observation, memories_version"
LEAVING_BY_A_DOOR = "agent_sessions_session, tenants_userprofile"


def revoke(apps, schema_editor):
    operator = settings.DATABASE_ROLES["operator"]
    schema_editor.execute(f'REVOKE UPDATE, DELETE, TRUNCATE ON {UNCHANGING} FROM "{operator}"')
    schema_editor.execute(f'REVOKE DELETE, TRUNCATE ON {LEAVING_BY_A_DOOR} FROM "{operator}"')


class Migration(migrations.Migration):
    dependencies = [("governance", "0002_doors")]

    operations = [migrations.RunPython(revoke, migrations.RunPython.noop)]
