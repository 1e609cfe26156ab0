"""The JSON that scripts read: one function per answer. Field names are a contract; fields may be added, never renamed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from exegesis.model import (
    Answer,
    Citation,
    Companion,
    Context,
    Coverage,
    Cycle,
    Description,
    EntryPoint,
    FileResults,
    Hub,
    ModulePart,
    ModuleSummary,
    OnlyThrough,
    OutlineNode,
    Relation,
    Result,
    SourceFile,
    StageReport,
    Symbol,
)
from services.indexer.api import ExactStatus, IndexReport, Status
from services.query.api import OutlineAnswer, SearchAnswer

Document = dict[str, Any]


def answer_document(answer: Answer, project: str) -> Document:
    document: Document = {
        "question": answer.question,
        "project": project,
        "commit": answer.commit,
        "generation": answer.generation,
        "answer": answer.text,
        "confidence": answer.confidence.value,
        "citations": [citation_document(citation) for citation in answer.citations],
        "context": context_document(answer.context),
        "stages": [stage_document(stage) for stage in answer.stages],
        "coverage": coverage_document(answer.coverage),
        "model": answer.model,
        "trace_id": answer.trace_id,
    }
    if answer.outline:
        document["outline"] = [node_document(node) for node in answer.outline]
    if answer.diagram:
        document["diagram"] = answer.diagram
    if answer.model:
        document["usage"] = asdict(answer.usage)
    return document | _warnings(answer.warnings)


def citation_document(citation: Citation) -> Document:
    return {
        "id": citation.id,
        "repository": citation.repository,
        "path": citation.path,
        "start": citation.start,
        "end": citation.end,
        "symbol": citation.symbol,
    }


def context_document(context: Context) -> Document:
    return {
        "tokens": context.tokens,
        "items": [
            {
                "repository": item.repository,
                "path": item.path,
                "start": item.start,
                "end": item.end,
                "symbol": item.symbol,
                "score": round(item.score, 6),
                "why": item.why,
                "id": item.id,
                "runs": [[run.start, run.end] for run in item.runs],
            }
            for item in context.items
        ],
    }


def stage_document(stage: StageReport) -> Document:
    return {"name": stage.name, "ms": round(stage.ms, 3), "in": stage.items_in, "out": stage.items_out}


def coverage_document(coverage: Coverage) -> Document:
    return {
        "seen": coverage.seen,
        "indexed": coverage.indexed,
        "skipped": sum(number for _, number in coverage.skipped),
        "failed": len(coverage.failed),
        "dense": round(coverage.dense, 4),
        "reasons": dict(coverage.skipped),
        "failures": dict(coverage.failed),
        "degraded": len(coverage.degraded),
        "degradations": dict(coverage.degraded),
    }


def node_document(node: OutlineNode) -> Document:
    return {
        "id": node.id,
        "title": node.title,
        "path": node.path,
        "start": node.start,
        "end": node.end,
        "symbol": node.symbol,
        "summary": node.summary,
        "children": [node_document(child) for child in node.children],
    }


def outline_document(question: str, answer: OutlineAnswer) -> Document:
    return {"question": question, "nodes": [node_document(node) for node in answer.nodes]} | _warnings(answer.warnings)


def search_document(answer: SearchAnswer) -> Document:
    found: Document = {"results": [result_document(result) for result in answer.results], "files": [file_document(file) for file in answer.files]}
    return found | _warnings(answer.warnings)


def _warnings(said: Sequence[str]) -> Document:
    return {"warnings": list(said)} if said else {}


def file_document(file: FileResults) -> Document:
    return {
        "repository": file.repository,
        "path": file.path,
        "score": round(file.score, 6),
        "results": [result_document(result) for result in file.results],
    }


def result_document(result: Result) -> Document:
    return {
        "repository": result.repository,
        "path": result.path,
        "start": result.start,
        "end": result.end,
        "symbol": result.symbol,
        "kind": result.kind,
        "score": round(result.score, 6),
        "why": result.why,
    }


def symbol_document(symbol: Symbol) -> Document:
    return {
        "symbol": symbol.qualified,
        "kind": symbol.kind.value,
        "path": symbol.path,
        "line": symbol.line,
        "start": symbol.span.start,
        "end": symbol.span.end,
    }


def relation_document(relation: Relation) -> Document:
    return {
        "source": symbol_document(relation.source),
        "target": symbol_document(relation.target),
        "kind": relation.edge.kind.value,
        "rule": relation.edge.rule,
        "tier": relation.edge.tier.value,
        "line": relation.edge.line,
        "depth": relation.depth,
        "confidence": round(relation.confidence, 4),
    }


def hub_document(hub: Hub) -> Document:
    return {**symbol_document(hub.symbol), "callers": hub.callers, "callees": hub.callees}


def only_through_document(found: OnlyThrough) -> Document:
    return {
        "only_through": [relation_document(relation) for relation in found.relations],
        "total": found.total,
        "entries": found.entries,
        "uncertain": list(found.uncertain),
    }


def companion_document(companion: Companion) -> Document:
    return {
        **symbol_document(companion.symbol),
        "together": companion.together,
        "callers": companion.callers,
        "before": companion.before,
        "confidence": round(companion.confidence, 4),
    }


def cycle_document(cycle: Cycle) -> Document:
    return {"size": cycle.size, "shortest": [relation_document(relation) for relation in cycle.relations]}


def entry_point_document(entry: EntryPoint) -> Document:
    return {**symbol_document(entry.symbol), "why": entry.why, "callees": entry.callees}


def description_document(description: Description) -> Document:
    return {
        "subject": description.subject.value,
        "name": description.name,
        "path": description.path,
        "text": description.text,
        "spots": [{"name": spot.name, "path": spot.path, "line": spot.line} for spot in description.spots],
        "model": description.model,
        "written": description.written or None,
        "digest": description.digest,
    }


def module_document(module: ModuleSummary) -> Document:
    return {
        "module": module.name,
        "files": module.files,
        "symbols": module.symbols,
        "depends_on": [{"module": name, "edges": edges} for name, edges in module.depends_on],
        "entry_points": [symbol_document(symbol) for symbol in module.entry_points],
        "kind": module.kind or "code",
        "layer": module.layer,
        "circle": list(module.circle),
        "parts": [_part_document(part) for part in module.parts],
        "central": [symbol_document(symbol) for symbol in module.central],
    }


def _part_document(part: ModulePart) -> Document:
    return {
        "name": part.name,
        "folder": part.folder,
        "files": part.files,
        "symbols": part.symbols,
        "central": [symbol_document(symbol) for symbol in part.central],
    }


def report_document(report: IndexReport) -> Document:
    generation = report.generation
    return {
        "project": report.repository.name,
        "root": report.repository.root,
        "commit": generation.commit,
        "generation": generation.id,
        "symbols": generation.symbols,
        "edges": generation.edges,
        "chunks": generation.chunks,
        "changed": report.changed,
        "removed": report.removed,
        "resumed": report.resumed,
        "unchanged": report.unchanged,
        "seconds": round(report.seconds, 3),
        "descriptions": {"made": report.described, "kept": report.descriptions_kept, "told_by_model": report.told},
        "coverage": coverage_document(generation.coverage),
    }


def status_document(statuses: Sequence[Status], left_out: Mapping[str, Sequence[SourceFile]]) -> Document:
    """``left_out`` are files that were not indexed, or by their words alone, by repository, where somebody asked for them."""
    return {"projects": [_status(status, left_out.get(status.repository.id)) for status in statuses]}


def _compiled(exact: ExactStatus) -> Document:
    return {
        "stores": list(exact.stores),
        "files": exact.files,
        "stale": list(exact.stale),
        "unknown": exact.unknown,
        "problems": list(exact.problems),
    }


def _status(status: Status, left_out: Sequence[SourceFile] | None) -> Document:
    document: Document = {
        "project": status.repository.name,
        "root": status.repository.root,
        "commit": status.head.commit if status.head else "",
        "generation": status.head.id if status.head else "",
        "symbols": status.head.symbols if status.head else 0,
        "edges": status.head.edges if status.head else 0,
        "chunks": status.head.chunks if status.head else 0,
        "stale": status.stale,
        "problem": status.problem,
        "disk_bytes": status.disk_bytes,
        "coverage": coverage_document(status.coverage) if status.coverage else None,
        "compiler_index": _compiled(status.exact) if status.exact else None,
    }
    if left_out is not None:
        document["left_out"] = [{"path": file.path, "status": file.status.value, "reason": file.reason} for file in left_out]
    return document
