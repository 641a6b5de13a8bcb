"""What run.analyze() returns."""

import functools
import json

from batchscope._client.results import Answer, Comparison, Config, Finding, Recommendation, each_of
from batchscope._errors import UsageError


def _flat(raw, prefix=""):
    """Objects in objects as columns of their own: memory.peak_rss_bytes."""
    columns = {}
    for name, value in raw.items():
        if isinstance(value, dict):
            columns |= _flat(value, f"{prefix}{name}.")
        elif not isinstance(value, list):
            columns[prefix + name] = value
    return columns


class Analysis:
    """The scaling table of a run, what is proven of it, and the setting to use. str() is the answer.

    `raw` is what `batchscope analyze --format json` printed (docs/reference/schema/analysis.schema.json); `exit_code`
    is 0, or says what the gates that were asked for came to: 4 strict, 5 fail_on or a regression, 6 undecided.
    """

    def __init__(self, raw: dict, exit_code: int = 0):
        self.raw, self.exit_code = raw, exit_code

    @functools.cached_property
    def answer(self) -> Answer:
        return Answer.of(self.raw.get("answer") or {})

    @functools.cached_property
    def recommendation(self) -> Recommendation | None:
        """Of the first model, sequence length and mode; `other_recommendations` has the rest."""
        raw = self.raw.get("recommendation")
        return Recommendation.of(raw) if raw else None

    @functools.cached_property
    def other_recommendations(self) -> tuple[Recommendation, ...]:
        return each_of(Recommendation, self.raw.get("other_recommendations"))

    @functools.cached_property
    def findings(self) -> tuple[Finding, ...]:
        return each_of(Finding, self.raw.get("findings"))

    @functools.cached_property
    def configs(self) -> tuple[Config, ...]:
        return each_of(Config, self.raw.get("configs"))

    @functools.cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        return each_of(Comparison, self.raw.get("comparisons"))

    @property
    def gates(self) -> list[dict]:
        return self.raw.get("gates") or []

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(self.raw.get("warnings") or ())

    def to_pandas(self):
        """The scaling table as a DataFrame, a row for each of `configs`. Raises UsageError where pandas is missing."""
        try:
            import pandas
        except ImportError:
            raise UsageError("to_pandas() needs pandas, which is not installed (pip install pandas; or read .configs "
                             "or .to_json())") from None
        return pandas.DataFrame([_flat(raw) for raw in self.raw.get("configs") or ()])

    def to_json(self) -> str:
        return json.dumps(self.raw, indent=2, ensure_ascii=False)

    def __str__(self):
        return str(self.answer)

    def __repr__(self):
        return f"<batchscope.Analysis: {self.answer.headline}>"

    def _repr_html_(self):
        from batchscope._client.notebook import page

        return page(self)
