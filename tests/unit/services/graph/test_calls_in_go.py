"""What calls mean in Go sources, from the text to the edge: the parts that need parser and linker to agree."""

from __future__ import annotations

import pytest

from exegesis.model import Edge, EdgeKind, ReferenceKind, Symbol
from services.graph.families import Families
from services.graph.link import link
from services.graph.table import FileContext
from services.indexer.extract import extract
from services.indexer.languages.go import Go

STORE = """
package store

type Item struct { Name string }
func (i *Item) Weigh() int { return 0 }

type Base struct { items []Item; byName map[string]*Item }
func (b *Base) All() []Item { return b.items }
func (b *Base) Find(name string) (*Item, error) { return b.byName[name], nil }

type Shelf []Item
func Open() *Base { return nil }
func reset() {}

type Finder interface { Find(name string) (*Item, error); All() []Item }
type Half struct{}
func (h Half) Find(name string) (*Item, error) { return nil, nil }
"""
SHOP = """
package shop

import (
	"fmt"
	st "example.com/shop/store"
)

type Shop struct {
	*st.Base
	shelf st.Shelf
	open func() *st.Item
}
type Item struct{}
func (i Item) Weigh() {}
func NewShop() (*Shop, error) { return nil, nil }
func reset() {}
func (s *Shop) Run(finder st.Finder) {
%s
}
"""
MODULES = {"store/store.go": "example.com/shop/store", "shop.go": "example.com/shop"}


def linked(body: str) -> tuple[list[tuple[Edge, Symbol]], dict[int, Symbol], list[Edge]]:
    """Edges of the calls of ``Shop.Run`` with this body, every symbol, and all edges of the other package."""
    files = {path: extract(path, text.encode(), "", "go") for path, text in (("store/store.go", STORE), ("shop.go", SHOP % body))}
    symbols = {symbol.id: symbol for file in files.values() for symbol in file.symbols}
    contexts = {path: FileContext(MODULES[path], frozenset(file.imports), "go", file.bindings) for path, file in files.items()}
    tables = Families(symbols.values(), contexts)
    run = next(symbol.id for symbol in symbols.values() if symbol.qualified == "Shop.Run")
    here = files["shop.go"]
    calls = {(each.line, each.column) for each in here.references if each.kind is ReferenceKind.CALL and each.source == run}
    found = [(edge, symbols[edge.target]) for edge in link(here, tables.of("go")).edges if (edge.line, edge.column) in calls]
    others = list(link(files["store/store.go"], tables.of("go")).edges)
    return sorted(found, key=lambda each: (each[0].line, each[0].column)), symbols, others


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("s.Find(x)", ["store/store.go Base.Find"]),
        ("s.Base.All()", ["store/store.go Base.All"]),
        ("s.shelf[0].Weigh()", ["store/store.go Item.Weigh"]),
        ("for _, each := range s.All() { each.Weigh() }", ["store/store.go Base.All", "store/store.go Item.Weigh"]),
        (
            "item, err := st.Open().Find(x); item.Weigh(); err.Weigh()",
            ["store/store.go Open", "store/store.go Base.Find", "store/store.go Item.Weigh"],
        ),
        ("Item{}.Weigh()", ["shop.go Item", "shop.go Item.Weigh"]),
        ("(&st.Item{}).Weigh()", ["store/store.go Item", "store/store.go Item.Weigh"]),
        ("reset()", ["shop.go reset"]),
        ("st.reset2(); fmt.reset()", []),
        ("shop, _ := NewShop(); shop.Run(nil)", ["shop.go NewShop", "shop.go Shop.Run"]),
        ("finder.Find(x)", ["store/store.go Finder.Find"]),
        ("var i interface{}; i.(*st.Item).Weigh()", ["store/store.go Item.Weigh"]),
        ("switch v := x.(type) { case Item: v.Weigh() }", ["shop.go Item.Weigh"]),
    ],
)
def test_calls_mean_what_the_compiler_would_say(body: str, expected: list[str]) -> None:
    """Packages keep their names apart; embedded members, elements and results have their types."""
    found, _, _ = linked(body)
    assert [f"{target.path} {target.qualified}" for _, target in found] == expected


def test_methods_that_an_interface_asks_for_may_run_in_its_place() -> None:
    """Only those of types that have all of them."""
    _, symbols, edges = linked("")
    assert sorted((symbols[edge.source].qualified, symbols[edge.target].qualified) for edge in edges if edge.kind is EdgeKind.WITNESS) == [
        ("Finder.All", "Base.All"),
        ("Finder.Find", "Base.Find"),
    ]


def test_packages_are_found_by_the_paths_of_their_folders() -> None:
    """What the manifest says is what the files of this test are linked by."""
    assert Go().modules({"go.mod": "module example.com/shop\n"}, list(MODULES)) == MODULES
