"""What calls mean in C and C++ sources, from the text to the edge: the parts that need parser and linker to agree."""

from __future__ import annotations

import pytest

from exegesis.model import ReferenceKind
from services.graph.change import imported
from services.graph.families import Families
from services.graph.link import link
from services.graph.table import FileContext
from services.indexer.extract import extract

HEADER = """
typedef struct list { struct node *head; int length; } list;
struct node { struct node *next; struct list *owner; };
struct store { list lists[16]; list *(*make)(int n); };
extern struct store store;
list *open_list(int n);
void weigh(list *l);
#define EACH(l) for (;;)
static inline int count(list *l) { return l->length; }
class Shape { public: virtual int area() = 0; int twice() { return 2; } };
class Square : public Shape { public: Square(int side); int area() override; Shape* inner_; std::vector<Square*> all_; };
"""
OTHER = """
struct store store;
list *open_list(int n) { return 0; }
void weigh(list *l) {}
static void hidden(void) {}
#define weigh_all(l) weigh(l)
namespace tools { int measure(int n) { return n; } }
Square::Square(int side) {}
int Square::area() { return 1; }
"""
USE = """
static void hidden(void) {}
void use(list *l, struct node *n, Square *s) {
%s
}
"""


def meanings(body: str) -> list[str]:
    """What the calls of ``use`` with this body mean, in the order of the text."""
    files = [
        extract("shapes.h", HEADER.encode(), "", "c"),
        extract("other.cpp", OTHER.encode(), "", "cpp"),
        extract("use.cpp", (USE % body).encode(), "", "cpp"),
    ]
    symbols = {symbol.id: symbol for file in files for symbol in file.symbols}
    tables = Families(symbols.values(), {file.path: FileContext(language=file.language) for file in files})
    calls = {(each.line, each.column) for each in files[2].references if each.kind is ReferenceKind.CALL}
    found = [edge for edge in link(files[2], tables.of("cpp")).edges if (edge.line, edge.column) in calls]
    targets = [symbols[edge.target] for edge in sorted(found, key=lambda each: (each.line, each.column))]
    return [f"{target.path} {target.qualified}" for target in targets]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("weigh(l);", ["other.cpp weigh"]),
        ("hidden();", ["use.cpp hidden"]),
        ("weigh_all(l); count(l);", ["shapes.h count"]),
        ("weigh(open_list(1));", ["other.cpp weigh", "other.cpp open_list"]),
        ("EACH(l) weigh(l);", ["shapes.h EACH", "other.cpp weigh"]),
        ("store.make(3);", ["shapes.h store.make"]),
        ("n->owner->head->next->owner->make();", []),
        ("s->area();", ["other.cpp Square.area"]),
        ("s->twice();", ["shapes.h Shape.twice"]),
        ("s->inner_->area();", ["shapes.h Shape.area"]),
        ("for (auto* each : s->all_) each->area();", ["other.cpp Square.area"]),
        ("auto made = new Square(1); made->twice();", ["other.cpp Square.Square", "shapes.h Shape.twice"]),
        ("tools::measure(1);", ["other.cpp measure"]),
        ("static_cast<Shape*>(x)->twice();", ["shapes.h Shape.twice"]),
        ("printf(x); s->draw();", []),
    ],
)
def test_calls_mean_what_the_compiler_would_say(body: str, expected: list[str]) -> None:
    """Definitions before prototypes, statics and macros of the own file and of headers, members through pointers, what namespaces hold."""
    assert meanings(body) == expected


PORTABLE = """
#define close(s) closesocket(s)
void free(void *p) {}
"""


@pytest.mark.parametrize(
    ("path", "includes", "expected"),
    [
        ("src/use.c", "sys/socket.h", []),
        ("deps/client/use.c", "sys/socket.h", ["close", "free"]),
        ("src/use.c", "../deps/client/portable.h", ["close", "free"]),
        ("src/use.c", "client/portable.h", ["close", "free"]),
        ("src/use.c", "portable.h", ["close", "free"]),
        ("src/use.c", "table.h", []),
    ],
)
def test_names_of_the_library_mean_it_where_nothing_else_is_included(path: str, includes: str, expected: list[str]) -> None:
    """A header for another system gives ``close`` a meaning for who includes it, and not for the rest of the repository."""
    header = extract("deps/client/portable.h", PORTABLE.encode(), "", "c")
    use = extract(path, f'#include "{includes}"\nvoid use(void *p) {{ close(1); free(p); }}\n'.encode(), "", "c")
    symbols = {symbol.id: symbol for file in (header, use) for symbol in file.symbols}
    contexts = {file.path: FileContext(language="c", imports=imported(file.imports)) for file in (header, use)}
    edges = link(use, Families(symbols.values(), contexts).of("c")).edges
    assert sorted(symbols[edge.target].name for edge in edges) == expected
