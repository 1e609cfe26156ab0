"""A generation as the text that a catalog keeps of it."""

from __future__ import annotations

import json
from dataclasses import asdict

from exegesis.model import Coverage, Generation


def write_generation(generation: Generation) -> str:
    return json.dumps(asdict(generation))


def read_generation(content: str) -> Generation:
    fields = json.loads(content)
    coverage = fields.pop("coverage")
    coverage["skipped"] = tuple((reason, count) for reason, count in coverage["skipped"])
    coverage["failed"] = tuple((path, reason) for path, reason in coverage["failed"])
    coverage["degraded"] = tuple((path, reason) for path, reason in coverage.get("degraded", ()))  # which older ones do not say
    return Generation(**fields, coverage=Coverage(**coverage))
