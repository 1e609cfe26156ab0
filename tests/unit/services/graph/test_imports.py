"""Names that imports bind, found through modules and re-exports."""

from __future__ import annotations

import pytest

from exegesis.model import Binding, Modifier, ReferenceKind, SymbolKind
from services.graph.modules import Files, ModuleSystem
from services.graph.modules.packages import FolderPackages
from services.graph.modules.python import PythonModules
from services.graph.modules.script import ScriptModules
from tests.fakes.code import Code, called, link_all, meanings, name

CALL = ReferenceKind.CALL


def found(system: ModuleSystem, text: str, path: str, paths: str, modules: dict[str, str] | None = None) -> str:
    """The files that an import means among some, separated by blanks."""
    known = dict.fromkeys(paths.split(), "") | (modules or {})
    return " ".join(system.find(text, path, Files(known, system, lambda _: None)))


@pytest.mark.parametrize(
    ("text", "path", "paths", "expected"),
    [
        ("shop.cart", "shop/main.py", "shop/__init__.py shop/cart.py shop/main.py", "shop/cart.py"),
        ("shop", "tests/test_cart.py", "src/shop/__init__.py tests/test_cart.py", "src/shop/__init__.py"),
        (".cart", "shop/main.py", "shop/cart.py other/cart.py", "shop/cart.py"),
        ("..cart", "shop/views/main.py", "shop/cart.py shop/views/cart.py", "shop/cart.py"),
        (".", "shop/main.py", "shop/__init__.py shop/main.py", "shop/__init__.py"),
        ("json", "src/shop/main.py", "src/shop/__init__.py src/shop/json.py", ""),
        ("json", "src/shop/main.py", "src/shop/__init__.py src/shop/json/__init__.py src/shop/main.py", ""),
        ("shop.cart", "a/x.py", "one/shop/cart.py two/shop/cart.py", ""),
        ("shop.cart", "two/x.py", "one/shop/cart.py two/shop/cart.py", "two/shop/cart.py"),
        ("cart", "tools/run.py", "tools/run.py tools/cart.py other/cart.py", "tools/cart.py"),
        ("shop.cart", "x.py", "shop/cart.py shop/cart.pyi", "shop/cart.py"),
        ("elsewhere", "x.py", "x.py", ""),
        ("types", "main.py", "main.py types.py", ""),
        ("test.cart", "main.py", "main.py test/cart.py", "test/cart.py"),
        ("....far", "a.py", "far.py", "far.py"),
    ],
)
def test_dotted_names_of_python(text: str, path: str, paths: str, expected: str) -> None:
    """A dotted name means the module on the search path that the tree suggests, and a standard module is nobody's own."""
    assert found(PythonModules(), text, path, paths) == expected


@pytest.mark.parametrize(
    ("text", "path", "paths", "expected"),
    [
        ("./cart", "src/main.ts", "src/cart.ts src/cart.js lib/cart.ts", "src/cart.ts"),
        ("./cart.js", "src/main.ts", "src/cart.ts", "src/cart.ts"),
        ("../cart", "src/views/main.ts", "src/cart/index.ts src/views/cart.ts", "src/cart/index.ts"),
        (".", "src/main.ts", "src/index.ts", "src/index.ts"),
        ("..", "src/views/main.ts", "src/index.ts", "src/index.ts"),
        ("../../../x", "src/main.ts", "x.ts", ""),
        ("@/cart", "app/src/views/main.ts", "app/src/cart.ts web/src/cart.ts", "app/src/cart.ts"),
        ("./types", "src/main.ts", "src/types.d.ts", "src/types.d.ts"),
        ("react", "src/main.ts", "src/main.ts src/react.ts", ""),
        ("./cart.helper", "src/main.js", "src/cart.helper.js", "src/cart.helper.js"),
    ],
)
def test_paths_of_scripts(text: str, path: str, paths: str, expected: str) -> None:
    """A relative path means the file there, whatever its suffix, or the index of the folder there; bare names lead outside."""
    assert found(ScriptModules(), text, path, paths) == expected


def test_packages_of_the_same_repository() -> None:
    """A package that lies in the repository is found by its name, and files below it by their path."""
    modules = dict.fromkeys(("packages/core/src/index.ts", "packages/core/src/cart.ts", "packages/core/src/views/index.ts"), "@shop/core")
    assert found(ScriptModules(), "@shop/core", "packages/web/x.ts", "packages/web/x.ts", modules) == "packages/core/src/index.ts"
    assert found(ScriptModules(), "@shop/core/cart", "packages/web/x.ts", "packages/web/x.ts", modules) == "packages/core/src/cart.ts"


def test_packages_that_are_folders() -> None:
    """A package is all of its files."""
    modules = {"cart/a.go": "shop.org/cart", "cart/b.go": "shop.org/cart", "main.go": "shop.org"}
    assert found(FolderPackages(), "shop.org/cart", "main.go", "", modules) == "cart/a.go cart/b.go"


def python(path: str, *bindings: Binding) -> Code:
    return Code(path, language="python", bindings=bindings)


def meaning(code: Code, base: str, *receiver: object, among: tuple[Code, ...]) -> list[tuple[str, str]]:
    source = code.symbols[0]
    reference = code.refer(CALL, source, base, *receiver)  # type: ignore[arg-type]
    return meanings(link_all(code, *among)[code.path], reference, code, *among)


def test_a_name_from_an_import() -> None:
    """``from shop.cart import total as sum_up`` makes ``sum_up()`` a call of ``total``, and not of another one."""
    cart, other = python("shop/cart.py"), python("shop/other.py")
    cart.declare(SymbolKind.FUNCTION, "total")
    other.declare(SymbolKind.FUNCTION, "total")
    main = python("shop/main.py", Binding("sum_up", "shop.cart", "total"))
    main.declare(SymbolKind.FUNCTION, "run")
    assert meaning(main, "sum_up", among=(cart, other)) == [("S9", "total()")]
    assert meaning(main, "total", among=(cart, other)) == []


def test_a_module_as_a_value() -> None:
    """``import shop.cart as c`` makes ``c.total()`` a call of that module's function; what the module lacks is nobody's."""
    cart, other = python("shop/cart.py"), python("shop/other.py")
    cart.declare(SymbolKind.FUNCTION, "total")
    other.declare(SymbolKind.FUNCTION, "reconcile")
    main = python("shop/main.py", Binding("c", "shop.cart"))
    main.declare(SymbolKind.FUNCTION, "run")
    assert meaning(main, "total", name("c"), among=(cart, other)) == [("S4", "total()")]
    assert meaning(main, "reconcile", name("c"), among=(cart, other)) == []


def test_modules_inside_of_a_package() -> None:
    """``import shop`` and ``from shop import cart`` lead to the modules in the package."""
    package, cart = python("shop/__init__.py"), python("shop/cart.py")
    cart.declare(SymbolKind.FUNCTION, "total")
    main = python("main.py", Binding("shop", "shop"), Binding("cart", "shop", "cart"))
    main.declare(SymbolKind.FUNCTION, "run")
    assert meaning(main, "total", name("shop"), name("cart"), among=(package, cart)) == [("S4", "total()")]
    assert meaning(main, "total", name("cart"), among=(package, cart)) == [("S4", "total()")]


def test_re_exports_are_followed() -> None:
    """A package that imports a name gives it on, by name or with a star, in however many steps, and circles end."""
    cart = python("shop/cart.py")
    cart.declare(SymbolKind.FUNCTION, "total")
    inner = python("shop/inner.py", Binding("*", ".cart", "*"), Binding("*", ".inner", "*"))
    package = python("shop/__init__.py", Binding("total", ".inner", "total"), Binding("circle", ".", "circle"))
    main = python("main.py", Binding("total", "shop", "total"), Binding("circle", "shop", "circle"))
    main.declare(SymbolKind.FUNCTION, "run")
    assert meaning(main, "total", among=(cart, inner, package)) == [("S9", "total()")]
    assert meaning(main, "circle", among=(cart, inner, package)) == []


def test_an_imported_class_is_constructed_and_its_members_are_its_own() -> None:
    """``Cart().total()`` through an import is the initialiser and the method of that class, not those of its namesake elsewhere."""
    cart, other = python("shop/cart.py"), python("shop/other.py")
    for code in (cart, other):
        owner = code.declare(SymbolKind.CLASS, "Cart")
        code.declare(SymbolKind.INITIALIZER, "__init__", owner)
        code.declare(SymbolKind.METHOD, "total", owner)
    main = python("shop/main.py", Binding("Cart", ".cart", "Cart"))
    main.declare(SymbolKind.FUNCTION, "run")
    links = link_all(main, cart, other)
    assert not links["shop/main.py"].edges
    assert meaning(main, "Cart", among=(cart, other)) == [("C1", "Cart.__init__()")]
    reference = main.call(main.symbols[0], "total", called("Cart"))
    [edge] = [each for each in link_all(main, cart, other)["shop/main.py"].edges if each.line == reference.line]
    assert edge.target == next(each.id for each in cart.symbols if each.name == "total")


def test_a_class_may_be_called_like_the_one_it_refines() -> None:
    """``class Cart(cart.Cart)`` inherits what the other has."""
    cart = python("shop/cart.py")
    owner = cart.declare(SymbolKind.CLASS, "Cart")
    cart.declare(SymbolKind.METHOD, "total", owner)
    main = python("shop/main.py", Binding("cart", ".", "cart"))
    main.declare(SymbolKind.CLASS, "Cart", inherits=("cart.Cart",))
    assert meaning(main, "total", called("Cart"), among=(cart,)) == [("T1", "Cart.total()")]


def test_languages_of_different_families_do_not_see_each_other() -> None:
    """One declaration of the project bears the name, but in another language: it is not even a guess."""
    script = Code("web/cart.js", language="javascript")
    owner = script.declare(SymbolKind.CLASS, "Cart")
    script.declare(SymbolKind.METHOD, "reconcile", owner)
    main = python("shop/main.py")
    main.declare(SymbolKind.FUNCTION, "run")
    reference = main.call(main.symbols[0], "reconcile", called("Cart"))
    links = link_all(main, script)["shop/main.py"]
    assert meanings(links, reference, main, script) == []


def test_documents_mention_every_language() -> None:
    """Prose names declarations of whatever language."""
    script, main = Code("web/cart.js", language="javascript"), python("shop/main.py")
    script.declare(SymbolKind.FUNCTION, "openCart")
    main.declare(SymbolKind.FUNCTION, "run_shop")
    guide = Code("guide.md", language="markdown")
    heading = guide.declare(SymbolKind.HEADING, "Guide")
    mentions = [guide.refer(ReferenceKind.MENTION, heading, each) for each in ("openCart", "run_shop")]
    links = link_all(guide, script, main)["guide.md"]
    assert [meanings(links, each, guide, script, main) for each in mentions] == [[("U2", "openCart()")], [("U2", "run_shop()")]]


def test_letter_case_does_not_matter_where_it_does_not() -> None:
    """RPG names are the same in any case."""
    one, two = Code("one.rpgle", language="rpg"), Code("two.rpgle", language="rpg")
    one.declare(SymbolKind.PROCEDURE, "addCart", modifiers=Modifier.PUBLIC)
    two.declare(SymbolKind.PROCEDURE, "run")
    reference = two.call(two.symbols[0], "ADDCART")
    assert meanings(link_all(one, two)["two.rpgle"], reference, one, two) == [("U4", "addCart()")]


def test_a_variable_that_is_called_is_what_it_was_given() -> None:
    """``sum_up = total`` makes ``sum_up()`` a call of ``total``, in another file too; a circle of names ends."""
    cart = python("shop/cart.py")
    cart.declare(SymbolKind.FUNCTION, "total")
    cart.declare(SymbolKind.VARIABLE, "sum_up", initializer=(name("total"),))
    cart.declare(SymbolKind.VARIABLE, "round", initializer=(name("round"),))
    main = python("shop/main.py", Binding("*", "shop.cart", "*"))
    main.declare(SymbolKind.FUNCTION, "run")
    assert meaning(main, "sum_up", among=(cart,)) == [("T5", "total()")]
    assert meaning(main, "round", among=(cart,)) == [("S9", "round")]


def test_the_first_of_several_bases_has_the_word() -> None:
    """Both bases have the method, on the same level."""
    code = python("shop/cart.py")
    for base in ("Cart", "Store"):
        code.declare(SymbolKind.METHOD, "total", code.declare(SymbolKind.CLASS, base))
    code.declare(SymbolKind.CLASS, "Shop", inherits=("Store", "Cart"))
    source = code.declare(SymbolKind.FUNCTION, "run")
    reference = code.call(source, "total", called("Shop"))
    assert meanings(link_all(code)[code.path], reference, code) == [("T2", "Store.total()")]
