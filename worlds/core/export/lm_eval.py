"""A task of lm-eval: documents as JSON lines and the task as YAML.

The harness joins nothing: `doc.sample_id` comes back in the samples that it logs. Its own scores
are left out, for they are never read.
"""

from __future__ import annotations

from collections.abc import Mapping

from worlds.core.codec import canonical
from worlds.core.export.base import Export, Options, Sample

__all__ = ["LmEvalExport"]

_TASK = """\
# Run in this folder:
#   lm_eval --include_path . --tasks {task} --log_samples --output_path out --model …
# and upload the samples_….jsonl that it writes. EnigmaForge grades the replies.
task: {task}
dataset_path: json
dataset_kwargs:
  data_files:
    test: documents.jsonl
test_split: test
output_type: generate_until
num_fewshot: 0
doc_to_text: "{{{{prompt}}}}"
doc_to_target: "{{{{target}}}}"
generation_kwargs:
  until: []
  do_sample: false
  max_gen_toks: 32000
metric_list:
  - metric: bypass
metadata:
  version: 1
  corpus: {slug}-{short_hash}
"""


class LmEvalExport(Export):
    """Documents with `sample_id`, `prompt` and `target`, empty in an export without it."""

    name = "lm-eval"
    label = "lm-eval task"
    stem = "documents"

    def line(self, sample: Sample, options: Options) -> str:
        """One document."""
        document = {"sample_id": str(sample.id), "prompt": sample.prompt}
        return canonical(document | {"target": sample.target or ""} | sample.about)

    def extras(self, slug: str, short_hash: str) -> Mapping[str, str]:
        """The task."""
        task = f"enigmaforge_{slug.replace('-', '_')}"
        return {"task.yaml": _TASK.format(task=task, slug=slug, short_hash=short_hash)}
