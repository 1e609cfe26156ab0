"""What a person gets from the command line, on the example package."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import jsonschema
import pytest

from tests.e2e.conftest import HOUSE, Run

QUESTION = "How does a token get refreshed?"


def test_an_explanation_reaches_code_that_the_question_does_not_name(exegesis: Run) -> None:
    """The renewal happens in functions whose names share no word with the question; the calls lead there."""
    done = exegesis("explain", QUESTION, "--json", "--no-dense")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    symbols = {item["symbol"] for item in found["context"]["items"]}
    assert any("CredentialGate" in symbol for symbol in symbols)
    assert any(symbol.startswith("GrantExchange.redeem") for symbol in symbols)
    assert any(symbol.startswith("SingleFlight.run") for symbol in symbols)
    cited = {citation["symbol"] for citation in found["citations"]}
    assert any("CredentialGate" in symbol for symbol in cited)


def test_every_citation_points_at_lines_that_exist(exegesis: Run, example: Path) -> None:
    """Path and lines of each citation lie inside a file of the project."""
    found = json.loads(exegesis("explain", QUESTION, "--json", "--no-dense").stdout)
    assert found["citations"]
    for citation in found["citations"]:
        lines = (example / citation["path"]).read_text(encoding="utf-8").split("\n")
        assert 1 <= citation["start"] <= citation["end"] <= len(lines)


def test_the_context_stays_within_its_budget(exegesis: Run) -> None:
    """A small budget gives a small context, and says so."""
    found = json.loads(exegesis("explain", QUESTION, "--json", "--no-dense", "--budget", "1500").stdout)
    assert 0 < found["context"]["tokens"] <= 1500


def test_coverage_adds_up(exegesis: Run) -> None:
    """Seen is indexed plus skipped plus failed."""
    coverage = json.loads(exegesis("explain", QUESTION, "--json", "--no-dense").stdout)["coverage"]
    assert coverage["seen"] == coverage["indexed"] + coverage["skipped"] + coverage["failed"]


def test_an_outline_is_valid_by_its_schema(exegesis: Run) -> None:
    """Scripts may rely on the schema that the package carries."""
    done = exegesis("outline", QUESTION, "--json", "--no-dense")
    assert done.returncode == 0, done.stderr
    outline = json.loads(done.stdout)
    schema = json.loads((HOUSE / "services" / "query" / "telling" / "outline.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(outline, schema)
    assert outline["nodes"][0]["id"] == "S1"


def test_a_question_about_what_is_not_there_is_refused(exegesis: Run) -> None:
    """Exit code 3, nothing on standard output, and what was searched on standard error."""
    done = exegesis("explain", "How are Kubernetes helm charts rendered for volcano plots?", "--no-dense")
    assert done.returncode == 3
    assert done.stdout == ""
    assert "searched" in done.stderr


def test_callers_are_named_with_call_sites(exegesis: Run) -> None:
    """`graph callers` answers with symbol, place, rule and confidence."""
    done = exegesis("graph", "callers", "GrantExchange.redeem", "--json")
    assert done.returncode == 0, done.stderr
    callers = json.loads(done.stdout)["callers"]
    assert any("CredentialGate" in caller["source"]["symbol"] for caller in callers)
    assert all(caller["line"] > 0 and 0 < caller["confidence"] <= 1 for caller in callers)


def test_a_name_without_labels_stands_for_its_overloads(exegesis: Run) -> None:
    """Callers of all are listed, current before deprecated ones before tests; with labels, those of one."""
    done = json.loads(exegesis("graph", "callers", "CredentialGate.usableCredential", "--json").stdout)
    sources = [relation["source"]["symbol"] for relation in done["callers"]]
    assert sources[:3] == ["BearerSigner.adapt(_:)", "BearerSigner.readapt(_:rejected:because:)", "AuthorizedClient.refreshToken()"]
    done = json.loads(exegesis("graph", "callers", "CredentialGate.usableCredential(replacing:)", "--json").stdout)
    assert "BearerSigner.adapt(_:)" not in [relation["source"]["symbol"] for relation in done["callers"]]


def test_a_store_may_be_named_where_the_graph_is_asked(exegesis: Run, tmp_path: Path) -> None:
    """The same question by rules and by what a compiler recorded; `eval` takes the option too."""
    sample = HOUSE / "tests" / "fixtures" / "swift-store"
    shutil.copytree(sample / "package", tmp_path / "harvest")
    rules = []
    for store in ("none", str(sample / "store")):
        done = exegesis("graph", "callers", "Ledger.append", "--project", str(tmp_path / "harvest"), "--index-store", store, "--json")
        assert done.returncode == 0, done.stderr
        rules.append({relation["rule"] for relation in json.loads(done.stdout)["callers"]})
    assert ("E1" in rules[0], "E1" in rules[1]) == (False, True)
    (tmp_path / "questions.jsonl").write_text('{"id": "1", "question": "How does a tree grow?"}\n')
    asked = ("eval", "questions.jsonl", "--project", "harvest", "--out", "out.jsonl", "--no-dense", "--index-store", "missing")
    assert "is no index store" in exegesis(*asked, cwd=tmp_path).stderr


def test_a_diagram_draws_edges_of_the_graph(exegesis: Run) -> None:
    """Mermaid, on request."""
    done = exegesis("explain", QUESTION, "--diagram", "--no-dense")
    assert "```mermaid" in done.stdout


def test_trace_prints_stages_and_the_parts_of_scores(exegesis: Run) -> None:
    """On standard error, so that the answer stays clean."""
    done = exegesis("explain", QUESTION, "--trace", "--no-dense")
    for name in ("retrieval", "symbol-mapping", "graph-traversal", "ranking", "context-composition", "generation"):
        assert name in done.stderr
    assert "score" in done.stderr
    assert "context-composition" not in done.stdout


def test_the_same_question_composes_the_same_context(exegesis: Run) -> None:
    """Byte for byte, in processes of their own."""
    contexts = {json.dumps(json.loads(exegesis("explain", QUESTION, "--json", "--no-dense").stdout)["context"]) for _ in range(3)}
    assert len(contexts) == 1


def test_search_lists_places_with_reasons(exegesis: Run) -> None:
    """--kind narrows, and every result says why it is there."""
    done = exegesis("search", "credential storage", "--kind", "protocol", "--json", "--no-dense")
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)["results"]
    assert results
    assert results[0]["kind"] == "protocol"
    assert all(result["why"] for result in results)


def test_status_and_remove(exegesis: Run, example: Path, tmp_path: Path) -> None:
    """What is indexed can be seen, and forgotten."""
    apart = {"EXEGESIS_HOME": str(tmp_path)}
    assert exegesis("index", ".", "--no-embed", **apart).returncode == 0
    shown = json.loads(exegesis("status", "--json", **apart).stdout)["projects"]
    assert [project["root"] for project in shown] == [str(example)]
    assert exegesis("remove", **apart).returncode == 0
    assert json.loads(exegesis("status", "--json", **apart).stdout)["projects"] == []


def test_status_names_what_was_left_out(exegesis: Run, tmp_path: Path) -> None:
    """On request, each file with its reason; the numbers are those of the coverage."""
    (tmp_path / "a.swift").write_text("func a() {}\n")
    (tmp_path / "link.swift").symlink_to("/etc/hostname")
    (tmp_path / "b.swift").write_bytes(b"\x00\x01\x02binary\x00")
    assert exegesis("index", "--no-embed", str(tmp_path)).returncode == 0
    [project] = json.loads(exegesis("status", "--project", str(tmp_path), "--files", "--json").stdout)["projects"]
    assert {file["path"] for file in project["left_out"]} == {"link.swift", "b.swift"}
    assert len(project["left_out"]) == project["coverage"]["skipped"] + project["coverage"]["failed"]
    assert "link.swift: skipped, symbolic link" in exegesis("status", "--project", str(tmp_path), "--files").stdout
    assert "link.swift" not in exegesis("status", "--project", str(tmp_path)).stdout


def test_vectors_alone_are_not_measured_where_there_are_none(exegesis: Run, tmp_path: Path) -> None:
    """Figures of such a run would say nothing about vectors."""
    (tmp_path / "a.swift").write_text("func a() {}\n")
    (tmp_path / "questions.jsonl").write_text('{"id": "1", "question": "what is a?"}\n')
    done = exegesis("eval", "questions.jsonl", "--project", ".", "--out", "out.jsonl", "--ablation", "dense", cwd=tmp_path)
    assert done.returncode == 2
    assert "needs the vectors" in done.stderr


def test_usage_errors_say_what_to_do(exegesis: Run, tmp_path: Path) -> None:
    """Exit codes tell usage from failure, and a person never sees a traceback."""
    unknown = exegesis("explain", "why?", "--project", str(tmp_path / "nowhere"))
    assert unknown.returncode == 1
    assert "no folder" in unknown.stderr
    assert exegesis("explain", "   ").returncode == 2
    symbol = exegesis("graph", "callers", "Nonexistent.thing")
    assert symbol.returncode == 2
    assert "Traceback" not in unknown.stderr + symbol.stderr


def test_it_works_inside_a_repository_with_packages_of_the_same_names(exegesis: Run, tmp_path: Path) -> None:
    """Nothing of the repository is imported, whatever it is called."""
    for package in ("services", "exegesis", "json", "httpx"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise RuntimeError('imported from the repository')\n")
    (tmp_path / "main.swift").write_text('func greet(name: String) -> String { name }\nprint(greet(name: "you"))\n')
    installed = Path(sys.executable).with_name("exegesis")
    if not installed.exists():
        pytest.skip("the command is not installed in this environment")
    import subprocess

    done = subprocess.run(
        [str(installed), "search", "greet", "--no-dense", "--json"],
        cwd=tmp_path,
        env={"EXEGESIS_HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"][0]["path"] == "main.swift"


@pytest.mark.parametrize("out", ["missing/folder/p.jsonl", ".", "questions.jsonl"])
def test_predictions_that_cannot_be_written_are_a_usage_error(exegesis: Run, example: Path, tmp_path: Path, out: str) -> None:
    """A folder that is missing, a folder, and the questions themselves, which stay as they are."""
    line = '{"id": "1", "question": "How is a token refreshed?"}\n'
    (tmp_path / "questions.jsonl").write_text(line)
    done = exegesis("eval", "questions.jsonl", "--project", str(example), "--out", out, cwd=tmp_path)
    assert (done.returncode, "fault of Exegesis" in done.stderr) == (2, False)
    assert (tmp_path / "questions.jsonl").read_text() == line


def test_several_folders_are_one_json_object(exegesis: Run, example: Path, tmp_path: Path) -> None:
    """What a script reads is one object, whatever it asked for; one folder is the report itself."""
    (tmp_path / "a.swift").write_text("func a() {}\n")
    done = exegesis("index", "--no-embed", "--json", str(tmp_path), str(example))
    assert [project["project"] for project in json.loads(done.stdout)["projects"]] == [tmp_path.name, example.name]
    assert json.loads(exegesis("index", "--no-embed", "--json", str(tmp_path)).stdout)["coverage"]["indexed"] == 1


def test_a_folder_that_is_gone_is_removed_by_its_path(exegesis: Run, tmp_path: Path) -> None:
    """`status` names the folder, and so may whoever cleans up after it."""
    gone = tmp_path / "gone"
    gone.mkdir()
    (gone / "a.swift").write_text("func a() {}\n")
    assert exegesis("index", "--no-embed", str(gone)).returncode == 0
    (gone / "a.swift").unlink()
    gone.rmdir()
    done = exegesis("remove", "--project", str(gone))
    assert done.returncode == 0, done.stderr
    assert str(gone) not in exegesis("status").stdout
