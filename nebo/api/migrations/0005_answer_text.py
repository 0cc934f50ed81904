"""The stored answer is the text that was sent: JSON columns do not keep the order of names."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("api", "0004_tenant_keys")]

    operations = [
        migrations.AlterField(
            model_name="idempotencyrecord",
            name="body",
            field=models.TextField(blank=True, default="", help_text="The answer as it was sent; empty for none."),
            preserve_default=False,
        ),
    ]
