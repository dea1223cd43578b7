
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('worlds', '0001_corpora'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='family',
            constraint=models.CheckConstraint(condition=models.Q(('certificate__status__isnull', False), ('certificate__status', 'proved')), name='worlds_family_certificate_is_proved'),
        ),
    ]
