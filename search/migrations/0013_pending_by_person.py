"""Whose a passage is that waits for its vector: how many do is said with every answer."""

import django.db.models.deletion
from django.db import migrations, models

FILL = """
UPDATE search_pendingembedding p SET profile_id = c.profile_id
FROM search_chunk c WHERE c.tenant_id = p.tenant_id AND c.id = p.chunk_id
"""


def _profile(*, null: bool) -> models.ForeignKey:
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        null=null,
        on_delete=django.db.models.deletion.DO_NOTHING,
        related_name="+",
        to="tenants.userprofile",
    )


class Migration(migrations.Migration):
    dependencies = [("search", "0012_planner")]

    operations = [
        migrations.AddField("pendingembedding", "profile", _profile(null=True)),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField("pendingembedding", "profile", _profile(null=False)),
        migrations.AddIndex(
            "pendingembedding",
            models.Index(
                fields=["tenant", "profile", "model"],
                condition=models.Q(attempts=0),
                name="pending_by_person",
            ),
        ),
    ]
