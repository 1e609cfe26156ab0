"""Declarations of all kinds."""
# imports: os.path, shop.cart, ., .views, typing
# binds: os = os :, c = shop.cart :, models = . : models, V = .views : View, * = .views : *, t = typing :
from __future__ import annotations

import os.path
import shop.cart as c
from . import models
from .views import (View as V)
from .views import *
import typing as t

LIMIT: int = 10
# <- defines: variable LIMIT
# <- typed: int
first, second = 1, 2
# <- defines: variable first
#      ^ defines: variable second
client = Client(LIMIT)
# <- defines: variable client
# <- initialised: Client(_)
#        ^ refers: call Client (_)
#        ^ by: client
square = lambda x: x * x
# <- defines: function square
client = Other()
# <- defines: nothing

# Adds two numbers.
# noqa: this is for a tool
@cached(size=3)
def add(a: int, /, b: Box, *rest: int, limit: int = 3, **more) -> Optional[Total]:
    # <- defines: function add
    # <- documented: Adds two numbers.
    # <- parameters: _ a: int, _ b: Box, _ rest: int..., limit: int =, ** more: ...
    # <- typed: Total
    # <- signed: @cached(size=3) def add(a: int, /, b: Box, *rest: int, limit: int = 3, **more) -> Optional[Total]
    # <- flagged:
    # <- spans: 29-46
    #      ^ refers: type int
    #                 ^ refers: type Box
    #                                                                      ^ refers: type Total
    def inner(): return a
    #   ^ defines: function add.inner
    #   ^ container:
    return inner


class Color(enum.Enum):
    # <- defines: nothing
    # ^ defines: enum Color
    # ^ inherits: enum.Enum
    #            ^ refers: inherit Enum [enum]
    RED = 1
    # <- defines: case Color.RED

@dataclass
class Cart(Base[Item], mixins.Shared, metaclass=Meta):
    # ^ defines: class Cart
    # ^ documented: A cart. /  / With items.
    # ^ inherits: Base, mixins.Shared
    #      ^ refers: inherit Base
    #                                       ^ refers: nothing
    #                                           ^ refers: access Meta
    """A cart.

    With items.
    """

    limit: int = 3
    # <- defines: property Cart.limit
    # <- flagged: static
    items: list[Item]
    # <- typed: list<Item>
    store: "Store | None" = None
    # <- typed: Store
    by_name: Dict[str, Item]
    # <- typed: dict<str, Item>

    def __init__(self, owner: Person, other):
        # <- defines: initializer Cart.__init__
        # <- container: Cart
        # <- parameters: _ owner: Person, _ other:
        self.owner = owner
        #    ^ defines: property Cart.owner
        #    ^ initialised: <Person>
        #    ^ container: Cart
        self.other = other
        #    ^ defines: property Cart.other
        #    ^ initialised:
        self.made = None
        self.limit = 4
        #    ^ defines: nothing
        #    ^ refers: access limit [self]

    def fill(self):
        self.made: Total = compute()
        # <- refers: nothing
        self.owner = None

    @property
    def total(self) -> Total:
        # <- defines: property Cart.total
        # <- flagged: computed
        # <- typed: Total
        return self.made

    @total.setter
    def total(self, value): ...

    @classmethod
    async def load(cls, path):
        #     ^ defines: method Cart.load
        #     ^ flagged: async, static
        #     ^ parameters: _ path:
        #     ^ initialised: <Cart>
        return cls(path)
        #      ^ refers: call __init__ [self] (_)

    @deprecated("use load")
    def old(self):
        # <- flagged: deprecated
        """Old."""

    def older(self):
        # <- flagged: deprecated
        """Older.

        .. deprecated:: 2.0
        """

    class Inner:
        # ^ defines: class Cart.Inner
        # ^ container: Cart
        def go(self): pass
        #   ^ container: Cart.Inner


class Readable(Protocol):
    # ^ defines: protocol Readable
    def read(self) -> Callable[[int], Total]: ...
    #   ^ typed: Function<Total>


if TYPE_CHECKING:
    def conditional(): ...
    #   ^ defines: function conditional

type Totals = list[Total]
#    ^ defines: typealias Totals

def told(a: Annotated[int, Doc("""
    # <- defines: function told
    # <- signed: def told(a: Annotated[int, Doc("…")])
    A number.
""")]): ...

if __name__ == "__main__":
    run(LIMIT)
    # <- refers: call run (_)
    # <- by: source_declarations
