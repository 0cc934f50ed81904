"""Lanes, and turns among tenants in each. Wakes of before stand in no line; sweeps make them anew."""

import nebo.jobs.lanes
from django.db import migrations, models
from nebo.postgres.sql_files import SqlFile


class Migration(migrations.Migration):

    dependencies = [
        ('jobs', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='lane',
            field=models.PositiveSmallIntegerField(default=nebo.jobs.lanes.Lane['SESSION']),
        ),
        migrations.CreateModel(
            name='Turn',
            fields=[
                ('line', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('lane', models.PositiveSmallIntegerField()),
                ('taken_at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['lane', 'taken_at'], name='turn_newest_of_lane')],
            },
        ),
        SqlFile("django_q_ormq_lines"),
    ]
