"""Items of the distractor review for the families that are there already."""

from django.db import migrations

_BATCH = 500


def make_items(apps, schema_editor):
    Family, Instance, ReviewItem = (
        apps.get_model("worlds", name) for name in ("Family", "Instance", "ReviewItem")
    )
    # Of the database that is being migrated, which need not be the one that the site uses.
    here = schema_editor.connection.alias
    stored = Family.objects.using(here).order_by("pk")
    families = stored.only("corpus", "level", "genre", "certificate")
    items = []
    for family in families.iterator(chunk_size=100):
        # The implicit surface stands for those that share its papers; a formal one has none.
        surfaces = (
            Instance.objects.using(here)
            .filter(family=family)
            .exclude(documents=[])
            .order_by("-condition")
            .values_list("realization", "pk")
        )
        records = {}
        for realization, pk in surfaces:
            records.setdefault(realization, pk)
        items += [
            ReviewItem(
                corpus_id=family.corpus_id, family=family, instance_id=pk, unit=each["unit"],
                kind=each["kind"], level=family.level, genre=family.genre,
            )
            for _, pk in sorted(records.items())
            for each in family.certificate["distractors"]
        ]  # fmt: skip
        if len(items) >= _BATCH:
            ReviewItem.objects.using(here).bulk_create(items)
            items = []
    ReviewItem.objects.using(here).bulk_create(items)


class Migration(migrations.Migration):

    dependencies = [("worlds", "0006_distractor_review")]

    operations = [migrations.RunPython(make_items, migrations.RunPython.noop)]
