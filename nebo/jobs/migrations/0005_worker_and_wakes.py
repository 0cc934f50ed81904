"""Who runs a job, one running job a dedupe key, and an index for the broker's question: what is due first?"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agent_sessions", "0005_append_only"),
        ("jobs", "0004_tenant_keys"),
        ("tenants", "0004_lookups"),
        ("django_q", "0019_alter_task_options_alter_ormq_key_alter_ormq_lock_and_more"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="worker",
            field=models.CharField(
                blank=True, help_text="Who runs it: host/cluster/process id.", max_length=120
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "running"), models.Q(("dedupe_key", ""), _negated=True)),
                fields=("tenant", "dedupe_key"),
                name="one_running_job_a_dedupe_key",
            ),
        ),
        migrations.RunSQL(
            "CREATE INDEX django_q_ormq_due ON django_q_ormq (key, lock, id)", "DROP INDEX django_q_ormq_due"
        ),
    ]
