"""What names mean in RPG and around it, from the text to the edge: the parts that need reader and linker to agree."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.model import EdgeKind, FileRole, FileStatus, SourceFile
from services.graph.api import Pin
from services.graph.families import Families
from services.graph.link import link
from services.graph.local import LocalGraph
from services.graph.table import FileContext
from services.indexer.extract import extract
from services.indexer.language import language_of

PROTOTYPES = """**free
dcl-pr pay int(10) extproc('PAY_PERSON');
  who char(10) const;
end-pr;
dcl-pr report extpgm('LIB/REPORTS');
end-pr;
dcl-pr socket int(10) extproc('socket') end-pr;
dcl-pr show overload(showText: showNumber);
dcl-pr showText end-pr;
dcl-pr showNumber end-pr;
dcl-c LIMIT 10;
dcl-s rates packed(5:2) dim(12);
"""

PAYROLL = """**free
ctl-opt nomain;
/copy QRPGLEREF,PROTO
dcl-pr hidden end-pr;
dcl-proc Pay export;
  log();
  hidden();
  exsr check;
  begsr check;
    Log();
  endsr;
end-proc;
dcl-proc log;
  exsr check;
  begsr check;
  endsr;
end-proc;
dcl-proc hidden;
end-proc;
dcl-proc showText export;
end-proc;
dcl-proc showNumber export;
end-proc;
"""

Edges = set[tuple[str, str, str, str]]
"""Source, kind, target, rule."""


def linked(files: Mapping[str, str]) -> tuple[Edges, set[tuple[str, str, bool]]]:
    """All edges and what is unresolved, of files that are told by their paths."""
    facts = [extract(path, text.encode(), "", found.name) for path, text in files.items() if (found := language_of(path)) is not None]
    symbols = {symbol.id: symbol for each in facts for symbol in each.symbols}
    contexts = {each.path: FileContext(imports=frozenset(each.imports), language=each.language, bindings=each.bindings) for each in facts}
    tables = Families(symbols.values(), contexts)
    edges: Edges = set()
    unresolved: set[tuple[str, str, bool]] = set()
    for each in facts:
        links = link(each, tables.of(each.language))
        edges |= {(symbols[edge.source].qualified, str(edge.kind), symbols[edge.target].qualified, edge.rule) for edge in links.edges}
        unresolved |= {(symbols[gap.source].qualified, gap.name, gap.external) for gap in links.unresolved}
    return edges, unresolved


def calls(files: Mapping[str, str], source: str) -> set[tuple[str, str]]:
    """What one caller calls, and by which rules."""
    return {(target, rule) for caller, kind, target, rule in linked(files)[0] if caller == source and kind == EdgeKind.CALL}


def program(body: str, head: str = "/copy proto") -> dict[str, str]:
    return {"QRPGLEREF/PROTO.rpgleinc": PROTOTYPES, "QRPGLESRC/PAYROLL.rpgle": PAYROLL, "QRPGLESRC/MAIN.rpgle": f"**free\n{head}\n{body}"}


def test_procedures_of_a_file_know_each_other() -> None:
    """Letter case aside; and a subroutine is one of its own procedure, whatever others are called."""
    assert calls(program(""), "Pay") == {("log", "S3"), ("hidden", "S3"), ("Pay.check", "S3")}
    assert calls(program(""), "log") == {("log.check", "S3")}
    assert calls(program(""), "Pay.check") == {("log", "S3")}


def test_a_prototype_that_is_copied_leads_to_the_exported_procedure() -> None:
    """By the name that the prototype gives it, which is not the name that it is called by."""
    assert calls(program("PAY('me');"), "MAIN") == {("Pay", "S10")}


def test_copies_of_copies_are_seen() -> None:
    """And circles of copies end."""
    files = {
        **program("pay('me');", "/copy outer"),
        "a/OUTER.rpgle": "      /copy inner\n",
        "b/inner.RPGLE": "      /copy outer\n      /copy proto\n",
    }
    assert calls(files, "MAIN") == {("Pay", "S10")}


def test_without_an_export_nothing_is_seen_from_outside() -> None:
    """The procedure of another module stays hidden, and the call is kept as one that could not be told."""
    edges, unresolved = linked(program("hidden();", ""))
    assert not {edge for edge in edges if edge[0] == "MAIN"}
    assert ("MAIN", "hidden", False) in unresolved


def test_an_exported_procedure_without_a_prototype_is_a_guess() -> None:
    """Its prototype is in a member that is not in the project."""
    assert calls(program("showText();", ""), "MAIN") == {("showText", "U4")}


def test_a_prototype_of_what_is_elsewhere_stands_for_it() -> None:
    """So who calls the system can be asked."""
    assert calls(program("x = socket(1);"), "MAIN") == {("socket", "S11")}


def test_all_overloads_may_be_meant() -> None:
    """A prototype with OVERLOAD is several."""
    assert calls(program("show(1);"), "MAIN") == {("showText", "S10"), ("showNumber", "S10")}


def test_programs_are_members() -> None:
    """Called by a prototype, by a literal, by CL, from SQL; the nearest of several."""
    files = {
        **program("report(); exec sql call batch();"),
        "QRPGLESRC/REPORTS.pgm.rpgle": "     C                   CALL      'BATCH'\n",
        "QRPGLESRC/BATCH.rpgle": "     C                   RETURN\n",
        "old/BATCH.rpgle": "     C                   RETURN\n",
        "QCLSRC/START.clle": "PGM\nCALL PGM(*LIBL/MAIN)\nENDPGM\n",
    }
    assert calls(files, "MAIN") == {("REPORTS", "L3"), ("BATCH", "L3")}
    assert calls(files, "REPORTS") == {("BATCH", "L3")}
    assert calls(files, "START") == {("MAIN", "L3")}


def test_a_program_begins_where_it_says() -> None:
    """``MAIN(proc)`` makes a procedure the program's, which is called by the member's name."""
    files = {"a/NIGHTLY.rpgle": "**free\nctl-opt main(begin);\ndcl-proc begin;\nend-proc;\n", "a/S.clp": "PGM\nCALL NIGHTLY\nENDPGM\n"}
    assert calls(files, "S") == {("begin", "L3")}


def test_data_is_no_call() -> None:
    """An array of a copied member is used, not called, and a constant too."""
    edges, unresolved = linked(program("x = rates(1) + limit;"))
    assert {edge for edge in edges if edge[0] == "MAIN"} == {("MAIN", "access", "rates", "S9"), ("MAIN", "access", "LIMIT", "S9")}
    assert not unresolved


def test_parts_of_data_structures_are_used() -> None:
    """By their own names unless these must be qualified, and then with the structure, or with another that is like it."""
    source = (
        "**free\ndcl-ds total;\n  amount packed(9:2);\nend-ds;\ndcl-ds place qualified;\n  city char(20);\nend-ds;\ndcl-ds home likeds(place);\n"
        "dcl-s city char(5);\namount = 1;\nplace.city = 'x';\nhome.city = city;\n"
    )
    used = {(target, rule) for caller, kind, target, rule in linked({"SHOP.rpgle": source})[0] if caller == "SHOP" and kind == EdgeKind.ACCESS}
    assert used == {("total.amount", "S3"), ("place", "S3"), ("place.city", "S3"), ("home", "S3"), ("city", "S3")}


def test_parts_are_used_through_elements_and_likenesses() -> None:
    """Of an element, of what is like a template of a copied member, of a parameter, in SQL; local structures are nobody else's."""
    files = {
        "lib/TYPES.rpgleinc": "**free\ndcl-ds place_t qualified template;\n  city char(20);\n  street char(20);\n  zip char(9);\nend-ds;\n",
        "lib/SHOP.rpgle": (
            "**free\n/copy types\ndcl-ds item qualified dim(9);\n  price packed(9:2);\n  dcl-ds size;\n    deep int(10);\n  end-ds;\nend-ds;\n"
            "dcl-proc sell;\n  dcl-pi *n;\n    buyer likeds(place_t) const;\n  end-pi;\n  dcl-ds own qualified;\n    price int(10);\n  end-ds;\n"
            "  dcl-ds home likeds(place_t) dim(2);\n  item(max(1 : 2)).price = 1;\n  own.price = 2;\n  item(1).size.deep = 3;\n"
            "  if buyer.city = 'x';\n  endif;\n  home(2).street = 'y';\n  exec sql select a into :home(1).zip from stock;\nend-proc;\n"
        ),
    }
    used = {(target, rule) for caller, kind, target, rule in linked(files)[0] if caller == "sell" and kind == EdgeKind.ACCESS}
    assert used == {
        *(("item", "S3"), ("item.price", "S3"), ("item.size", "S3")),
        *(("place_t.city", "S9"), ("place_t.street", "S9"), ("place_t.zip", "S9")),
    }


def test_the_address_of_a_procedure_is_a_use() -> None:
    """By its own name, or by the one outside."""
    edges, _ = linked(program("p = %paddr(pay); q = %paddr('SHOWTEXT');"))
    assert {edge for edge in edges if edge[0] == "MAIN"} == {("MAIN", "access", "Pay", "S10"), ("MAIN", "access", "showText", "S10")}


def test_prototypes_are_parts_of_their_procedure() -> None:
    """Whoever asks about one asks about the other."""
    edges, _ = linked(program(""))
    assert {edge for edge in edges if edge[1] == EdgeKind.EXTEND} == {
        ("pay", "extend", "Pay", "S10"),
        ("showText", "extend", "showText", "S10"),
        ("showNumber", "extend", "showNumber", "S10"),
        ("hidden", "extend", "hidden", "S3"),
    }


def test_files_lead_to_their_description() -> None:
    """A file of a program to the table or screen of its name, its operations to record formats, SQL to tables."""
    files = {
        "q/ORDERS.rpgle": "**free\ndcl-f screen workstn;\nexfmt sflctl;\nread Screen;\nexec sql select 1 into :x from lib.stock;\n",
        "q/SCREEN.dspf": "     A          R SFLCTL\n",
        "q/all.sql": "create table stock (a int);\n",
    }
    edges, _ = linked(files)
    assert edges == {
        ("ORDERS", "access", "SCREEN.SFLCTL", "L4"),
        ("ORDERS", "access", "screen", "S3"),
        ("ORDERS", "access", "stock", "L4"),
        ("screen", "access", "SCREEN", "L4"),
    }


def test_a_command_leads_to_the_program_that_processes_it() -> None:
    """Which its heading names in one of the customary wordings, or else the program that is called like it; commands of the system lead nowhere."""
    command = " {0}:  CMD  PROMPT('Show')\n /* {1} */\n   PARM KWD(FILE) TYPE(*NAME)\n"
    files = {
        "q/SHOW.cmd": command.format("SHOW", "CPP is SHOWC."),
        "q/LIST.cmd": command.format("LIST", "CRTCMD CMD(LIST) PGM(*LIBL/LISTC)"),
        "q/PLAIN.cmd": command.format("PLAIN", "Nothing said"),
        "q/script.cmd": "@echo off\ncall SHOWC\n",
        **{f"q/{name}.clle": "PGM\nENDPGM\n" for name in ("SHOWC", "LISTC", "PLAIN")},
        "q/START.clle": "PGM\nSHOW FILE(X)\nIF COND(&A) +\nTHEN(LIST)\n LIB/LIST FILE(Y)\nWRKJOB\nENDPGM\n",
    }
    edges, unresolved = linked(files)
    assert {(source, target, rule) for source, kind, target, rule in edges if kind == EdgeKind.CALL} == {
        ("SHOW", "SHOWC", "L3"),
        ("LIST", "LISTC", "L3"),
        ("PLAIN", "PLAIN", "L3"),
        ("START", "SHOW", "L3"),
        ("START", "LIST", "L3"),
    }
    assert not unresolved


def test_a_service_program_shows_procedures() -> None:
    """By the names that they are exported under, in whatever case, quoted or not."""
    binder = "STRPGMEXP PGMLVL(*CURRENT)\n /* EXPORT SYMBOL(showText) */\n EXPORT SYMBOL(PAY_PERSON)\n  EXPORT SYMBOL('SHOWNUMBER')\nENDPGMEXP\n"
    edges, _ = linked({**program(""), "q/SRV.bnd": binder})
    assert {edge for edge in edges if edge[0] == "SRV"} == {("SRV", "access", "Pay", "S10"), ("SRV", "access", "showNumber", "S10")}


def test_a_program_whose_name_a_variable_holds_is_a_guess() -> None:
    """Where the member gives the variable a name; elsewhere it is told as what could not be told."""
    head = "dcl-s which char(10) inz('REPORTS');\ndcl-c NIGHT 'LIB/NIGHTLY';\ndcl-pr run extpgm(which) end-pr;\ndcl-pr night extpgm(NIGHT) end-pr;"
    old = ("CALL PGMNAM", "MOVEL'OTHER'   PGMNAM 10", "CALL UNSAID")
    given = "DCL VAR(&A) TYPE(*CHAR) LEN(10) VALUE('REPORTS')\nCHGVAR VAR(&A) VALUE('LIB/OTHER')"
    files = {
        "q/MAIN.rpgle": f"**free\n{head}\nrun(); night();\nwhich = 'OTHER';\n",
        "q/OLD.rpg": "".join(f"     C                     {line}\n" for line in old),
        "q/START.clle": f"PGM PARM(&B)\n{given}\nCALL PGM(&A)\nCALL &B\nENDPGM\n",
        **{f"q/{name}.rpgle": "**free\nreturn;\n" for name in ("REPORTS", "OTHER", "NIGHTLY", "which")},
    }
    edges, unresolved = linked(files)
    found = {(source, target, rule) for source, kind, target, rule in edges if kind == EdgeKind.CALL}
    guesses = {(source, target, "U6") for source, target in (("MAIN", "REPORTS"), ("MAIN", "OTHER"), ("START", "REPORTS"), ("START", "OTHER"))}
    assert found == {*guesses, ("MAIN", "NIGHTLY", "L3"), ("OLD", "OTHER", "U6")}
    assert {(source, name) for source, name, _ in unresolved} == {("OLD", "UNSAID"), ("START", "&B")}


def test_routines_of_a_database_stand_for_programs() -> None:
    """And for procedures of service programs; calls of them lead on."""
    files = {
        **program("exec sql call payroll();"),
        "q/all.sql": (
            "create procedure payroll (in a int)\nlanguage rpgle -- external name 'LIB/GONE'\nexternal name 'LIB/REPORTS';\n"
            "create function pay (a int) returns int external name 'LIB/SRV(PAY_PERSON)' language rpgle;\n"
        ),
        "q/REPORTS.rpgle": "**free\nreturn;\n",
    }
    edges, _ = linked(files)
    assert {(source, target, rule) for source, kind, target, rule in edges if kind == EdgeKind.CALL and source in {"MAIN", "payroll", "pay"}} == {
        ("MAIN", "payroll", "U4"),
        ("payroll", "REPORTS", "L3"),
        ("pay", "Pay", "S10"),
    }


def test_files_are_described_elsewhere_under_other_names() -> None:
    """A file with EXTDESC, and a data structure with EXTNAME."""
    file = "dcl-f input disk usage(*input) infds(row) extdesc('LIB/ORDERS') extfile(*extdesc);"
    source = f"**free\n{file}\ndcl-ds row extname('STOCK' : *all) qualified end-ds;\n"
    edges, unresolved = linked({"q/A.rpgle": source, "q/ORDERS.pf": "     A          R ORDER\n", "q/STOCK.pf": "     A          R ITEM\n"})
    assert edges == {("input", "access", "ORDERS", "L4"), ("input", "access", "row", "S3"), ("row", "access", "STOCK", "L4")}
    assert not unresolved


NAMES = ("pay", "Pay", "PAY", "log", "show", "MAIN", "A", "b")
LINES = (
    "dcl-proc {0} export;",
    "dcl-proc {0};",
    "end-proc;",
    "dcl-pr {0} extproc('{1}') end-pr;",
    "dcl-pr {0} extpgm('{1}') end-pr;",
    "dcl-pr {0} end-pr;",
    "dcl-pr {0} overload({1});",
    "dcl-s {0} int(10);",
    "{0}({1});",
    "x = {0};",
    "/copy {0}",
    "/copy lib,{0}",
    "exsr {0};",
    "begsr {0};",
    "endsr;",
    "p = %paddr('{0}');",
    "dcl-f {0};",
    "exec sql call {0}();",
    "exec sql select 1 from {0};",
)
PATHS = ("lib/A.rpgle", "lib/b.RPGLE", "other/A.sqlrpgle", "other/PAY.clle", "log.sql")


def drawn(path: str, seed: int) -> str:
    dice = Random(seed)
    if path.endswith(".clle"):
        return "PGM\n" + "\n".join(f"CALL {dice.choice(NAMES)}" for _ in range(dice.randrange(4))) + "\nENDPGM\n"
    if path.endswith(".sql"):
        return f"create {dice.choice(('table', 'procedure'))} {dice.choice(NAMES)} (a int);\n"
    lines = (dice.choice(LINES).format(dice.choice(NAMES), dice.choice(NAMES)) for _ in range(dice.randrange(24)))
    return "**free\n" + "\n".join(lines)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(*(st.none() | st.integers(0, 1 << 32) for _ in PATHS)), min_size=3, max_size=3))
def test_incremental_equals_clean(rounds: list[tuple[int | None, ...]]) -> None:
    """Whatever comes, goes and changes: what copies reach, which of several members is nearest, what prototypes stand for."""
    with TemporaryDirectory() as folder:
        graph = LocalGraph(SqliteGraph(Path(folder)))
        before: dict[str, str] = {}
        for number, seeds in enumerate(rounds):
            after = {path: drawn(path, seed) for path, seed in zip(PATHS, seeds, strict=True) if seed is not None}
            build(graph, f"g{number}", after, (f"g{number - 1}", before) if number else None)
            build(graph, f"clean{number}", after, None)
            assert dump(Path(folder), f"g{number}") == dump(Path(folder), f"clean{number}")
            before = after
        graph.close()


def build(graph: LocalGraph, generation: str, files: Mapping[str, str], basis: tuple[str, Mapping[str, str]] | None) -> None:
    pin = Pin("shop", generation)
    graph.begin(pin, basis=basis[0] if basis else None)
    languages = {path: language.name for path in files if (language := language_of(path)) is not None}
    changed = [path for path in files if basis is None or basis[1].get(path) != files[path]]
    graph.write(pin, [extract(path, files[path].encode(), str(hash(files[path])), languages[path]) for path in changed])
    graph.finish(
        pin, [SourceFile(path, str(hash(text)), len(text), languages[path], FileRole.NONE, FileStatus.INDEXED) for path, text in files.items()]
    )


def dump(folder: Path, generation: str) -> object:
    reader = SqliteGraph(folder).open("shop", generation)
    tables = reader.dump()
    reader.close()
    return tables
