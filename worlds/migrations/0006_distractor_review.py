"""The tables of the distractor review, with a history that the database itself keeps as it is."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

_TABLE = "worlds_reviewentry"
_SQLITE = """
CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table}
BEGIN SELECT RAISE(ABORT, 'the history of a review is append-only'); END
"""
_POSTGRESQL_FUNCTION = """
CREATE FUNCTION {table}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the history of a review is append-only'
USING ERRCODE = 'integrity_constraint_violation'; END $$
"""
_POSTGRESQL = """
CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table}
FOR EACH ROW EXECUTE FUNCTION {table}_is_append_only()
"""


# A later migration that makes the table anew, as SQLite does to change a column, has to call this
# again: the triggers go with the old table.
def forbid_changes(apps, schema_editor):
    postgresql = schema_editor.connection.vendor == "postgresql"
    if postgresql:
        schema_editor.execute(_POSTGRESQL_FUNCTION.format(table=_TABLE))
    for event in ("update", "delete"):
        statement = _POSTGRESQL if postgresql else _SQLITE
        schema_editor.execute(statement.format(table=_TABLE, event=event))


def allow_changes(apps, schema_editor):
    for event in ("update", "delete"):
        on = f" ON {_TABLE}" if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER {_TABLE}_no_{event}{on}")
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP FUNCTION {_TABLE}_is_append_only()")


def _id():
    return (
        "id",
        models.BigAutoField(
            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
        ),
    )


def _key(to, on_delete=django.db.models.deletion.CASCADE, related_name="+", **options):
    return models.ForeignKey(on_delete=on_delete, related_name=related_name, to=to, **options)


class Migration(migrations.Migration):

    dependencies = [
        ("worlds", "0005_trials"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="corpus",
            name="required_approvals",
            field=models.PositiveSmallIntegerField(
                default=0,
                help_text="How many people must approve each distractor before the corpus is published.",
            ),
        ),
        migrations.AddConstraint(
            model_name="corpus",
            constraint=models.CheckConstraint(
                condition=models.Q(("required_approvals__lte", 9)), name="worlds_corpus_approvals"
            ),
        ),
        migrations.AddIndex(
            model_name="instance",
            index=models.Index(fields=["corpus", "sha256"], name="worlds_instance_sha256"),
        ),
        migrations.CreateModel(
            name="ReviewItem",
            fields=[
                _id(),
                ("unit", models.CharField(max_length=8)),
                (
                    "kind",
                    models.CharField(choices=[("false", "false"), ("idle", "idle")], max_length=8),
                ),
                ("level", models.CharField(max_length=3)),
                ("genre", models.CharField(max_length=16)),
                ("judged_sha256", models.CharField(blank=True, max_length=64)),
                ("approvals", models.PositiveSmallIntegerField(default=0)),
                ("rejections", models.PositiveSmallIntegerField(default=0)),
                ("locked_until", models.DateTimeField(blank=True, null=True)),
                ("corpus", _key("worlds.corpus", related_name="review_items")),
                ("family", _key("worlds.family", related_name="review_items")),
                ("instance", _key("worlds.instance", related_name="review_items")),
                (
                    "locked_by",
                    _key(
                        settings.AUTH_USER_MODEL,
                        django.db.models.deletion.SET_NULL,
                        null=True,
                        blank=True,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [
                    models.Index(
                        fields=["corpus", "approvals", "rejections", "judged_sha256"],
                        name="worlds_review_standing",
                    ),
                    models.Index(
                        fields=["corpus", "level", "genre", "kind"], name="worlds_review_filter"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("instance", "unit"), name="worlds_review_item"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ReviewAssignment",
            fields=[
                _id(),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("item", _key("worlds.reviewitem", related_name="assignments")),
                ("reviewer", _key(settings.AUTH_USER_MODEL, related_name="review_assignments")),
                (
                    "assigned_by",
                    _key(settings.AUTH_USER_MODEL, django.db.models.deletion.SET_NULL, null=True),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("reviewer", "item"), name="worlds_review_assignment"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ReviewEntry",
            fields=[
                _id(),
                (
                    "said",
                    models.CharField(
                        choices=[
                            ("approve", "approved"),
                            ("reject", "rejected"),
                            ("comment", "commented"),
                        ],
                        max_length=8,
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("document", models.CharField(blank=True, max_length=8)),
                ("start", models.PositiveIntegerField(blank=True, null=True)),
                ("end", models.PositiveIntegerField(blank=True, null=True)),
                ("quote", models.TextField(blank=True)),
                ("clause", models.TextField()),
                ("instance_sha256", models.CharField(max_length=64)),
                ("content_sha256", models.CharField(max_length=64)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "author",
                    _key(
                        settings.AUTH_USER_MODEL,
                        django.db.models.deletion.PROTECT,
                        related_name="review_entries",
                    ),
                ),
                (
                    "item",
                    _key(
                        "worlds.reviewitem",
                        django.db.models.deletion.PROTECT,
                        related_name="entries",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "review entries",
                "ordering": ("pk",),
                "indexes": [
                    models.Index(fields=["author", "said", "item"], name="worlds_review_author")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("said__in", ["approve", "reject", "comment"])),
                        name="worlds_review_said",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("said", "approve"))
                        | models.Q(("text", ""), _negated=True),
                        name="worlds_review_has_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("end__gt", models.F("start")),
                                ("said", "comment"),
                                ("start__isnull", False),
                                models.Q(("document", ""), _negated=True),
                            ),
                            models.Q(
                                models.Q(("said", "comment"), _negated=True),
                                ("document", ""),
                                ("end__isnull", True),
                                ("quote", ""),
                                ("start__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="worlds_review_anchor",
                    ),
                ],
            },
        ),
        migrations.RunPython(forbid_changes, allow_changes),
    ]
