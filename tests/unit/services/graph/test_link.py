"""Each rule of the linker, and each trap that a linker falls into."""

from __future__ import annotations

import pytest

from exegesis.model import EdgeKind, Modifier, ReferenceKind, SymbolKind, Tier
from services.graph.rules import RULES
from tests.fakes.code import IMPLICIT, INDEX, SELF, SUPER, UNKNOWN, Code, called, instance, link_all, meanings, metatype, name

CLASS, STRUCT, ENUM, PROTOCOL, EXTENSION = SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.PROTOCOL, SymbolKind.EXTENSION
METHOD, FUNCTION, PROPERTY, INIT, CASE = SymbolKind.METHOD, SymbolKind.FUNCTION, SymbolKind.PROPERTY, SymbolKind.INITIALIZER, SymbolKind.CASE


def test_rule_identifiers_name_their_tier() -> None:
    """The first letter of a rule is its tier, and confidences are probabilities."""
    assert all(rule.id == key and rule.id[0] == rule.tier.value and 0 < rule.confidence <= 1 for key, rule in RULES.items())


# ---- scoped


def test_bare_call_means_the_member_of_the_enclosing_type() -> None:
    """S1: a bare name inside a type is its member before it is anything else."""
    code = Code("a")
    session = code.declare(CLASS, "Session")
    run = code.declare(METHOD, "run", session)
    code.declare(METHOD, "resume", session)
    code.declare(FUNCTION, "resume")
    site = code.call(run, "resume")
    assert meanings(link_all(code)["a"], site, code) == [("S1", "Session.resume()")]


def test_member_of_an_extension_in_another_file_is_a_member() -> None:
    """S1: extensions add to the type wherever they stand."""
    code, other = Code("a"), Code("b")
    session = code.declare(CLASS, "Session")
    run = code.declare(METHOD, "run", session)
    other.declare(METHOD, "retry", other.declare(EXTENSION, "Session"), labels=("after",))
    site = code.call(run, "retry", SELF, labels=("after",))
    assert meanings(link_all(code, other)["a"], site, code, other) == [("S1", "Session.retry(after:)")]


def test_inherited_member_is_found_through_superclass_and_protocol_extension() -> None:
    """S2: what the type itself lacks its supertypes may have, however far up."""
    code = Code("a")
    base = code.declare(CLASS, "Base", inherits=("Loggable",))
    code.declare(METHOD, "prepare", base)
    code.declare(PROTOCOL, "Loggable")
    code.declare(METHOD, "note", code.declare(EXTENSION, "Loggable"))
    run = code.declare(METHOD, "run", code.declare(CLASS, "Derived", inherits=("Base",)))
    first, second = code.call(run, "prepare"), code.call(run, "note", SELF)
    links = link_all(code)["a"]
    assert meanings(links, first, code) == [("S2", "Base.prepare()")]
    assert meanings(links, second, code) == [("S2", "Loggable.note()")]


def test_super_skips_the_own_member() -> None:
    """S2: a call on super means the inherited member even where the type overrides it."""
    code = Code("a")
    code.declare(METHOD, "load", code.declare(CLASS, "Base"))
    load = code.declare(METHOD, "load", code.declare(CLASS, "Derived", inherits=("Base",)), modifiers=Modifier.OVERRIDE)
    site = code.call(load, "load", SUPER)
    assert meanings(link_all(code)["a"], site, code) == [("S2", "Base.load()")]


def test_local_function_shadows_the_member() -> None:
    """S3: the nearest declaration wins."""
    code = Code("a")
    session = code.declare(CLASS, "Session")
    run = code.declare(METHOD, "run", session)
    code.declare(METHOD, "step", session)
    code.declare(FUNCTION, "step", run)
    site = code.call(run, "step")
    assert meanings(link_all(code)["a"], site, code) == [("S3", "step()")]


def test_call_in_a_closure_is_read_in_the_scope_around_it() -> None:
    """A closure has the scope of its declaration, and the edge starts at the closure."""
    code = Code("a")
    session = code.declare(CLASS, "Session")
    run = code.declare(METHOD, "run", session)
    closure = code.declare(SymbolKind.CLOSURE, "closure@3", run)
    code.declare(METHOD, "finish", session)
    site = code.call(closure, "finish", SELF)
    links = link_all(code)["a"]
    assert meanings(links, site, code) == [("S1", "Session.finish()")]
    assert next(edge.source for edge in links.edges if edge.line == site.line) == closure.id


def test_top_level_function_of_another_file_is_a_guess_of_the_module() -> None:
    """L1: without a receiver and without an import the confidence is that of the module tier."""
    code, other = Code("a"), Code("b")
    run = code.declare(FUNCTION, "run")
    other.declare(FUNCTION, "launch", labels=("_",))
    site = code.call(run, "launch", labels=("_",))
    links = link_all(code, other)["a"]
    assert meanings(links, site, code, other) == [("L1", "launch(_:)")]
    assert links.edges[0].tier is Tier.MODULE


def test_imported_module_makes_a_top_level_name_certain() -> None:
    """S4: an explicit import says where the name comes from."""
    code, other = Code("a", imports=("Core",)), Code("b")
    run = code.declare(FUNCTION, "run")
    other.declare(FUNCTION, "launch")
    site = code.call(run, "launch")
    links = link_all(code, other, modules={"a": "App", "b": "Core"})["a"]
    assert meanings(links, site, code, other) == [("S4", "launch()")]


def test_declaration_of_a_module_that_is_not_imported_is_not_meant() -> None:
    """The same name in an unrelated target stays unlinked."""
    code, other = Code("a"), Code("b")
    run = code.declare(FUNCTION, "run")
    other.declare(FUNCTION, "launch")
    site = code.call(run, "launch")
    assert meanings(link_all(code, other, modules={"a": "App", "b": "Core"})["a"], site, code, other) == []


def test_private_members_end_with_their_file() -> None:
    """A private member of another file is not a candidate, so the visible one is certain."""
    code, other = Code("a"), Code("b")
    run = code.declare(FUNCTION, "run")
    code.declare(STRUCT, "Store")
    code.declare(METHOD, "save", code.declare(EXTENSION, "Store"))
    other.declare(METHOD, "save", other.declare(EXTENSION, "Store"), modifiers=Modifier.PRIVATE)
    site = code.call(run, "save", instance("Store"))
    assert meanings(link_all(code, other)["a"], site, code, other) == [("T1", "Store.save()")]


# ---- types and structure


def test_nested_type_wins_over_the_outer_one_of_the_same_name() -> None:
    """S5: names are read from the inside out."""
    code = Code("a")
    code.declare(STRUCT, "State")
    machine = code.declare(CLASS, "Machine")
    code.declare(ENUM, "State", machine)
    run = code.declare(METHOD, "run", machine)
    outside = code.declare(FUNCTION, "outside")
    inner = code.refer(ReferenceKind.TYPE, run, "State")
    outer = code.refer(ReferenceKind.TYPE, outside, "State")
    links = link_all(code)["a"]
    assert meanings(links, inner, code) == [("S5", "Machine.State")]
    assert meanings(links, outer, code) == [("S5", "State")]


def test_same_type_in_two_targets_is_told_apart_by_module() -> None:
    """Each target sees its own type, and calls through it reach its own members."""
    files = {path: Code(path) for path in ("a", "b")}
    sites = {}
    for path, code in files.items():
        code.declare(METHOD, "open", code.declare(CLASS, "Client"))
        sites[path] = code.call(code.declare(FUNCTION, "use"), "open", instance("Client"))
    links = link_all(*files.values(), modules={"a": "One", "b": "Two"})
    for path, code in files.items():
        (target,) = [edge.target for edge in links[path].edges if edge.kind is EdgeKind.CALL]
        assert target in {symbol.id for symbol in code.symbols}


def test_extension_leads_to_its_type_and_external_ones_nowhere() -> None:
    """S6: an extension of an external type extends nothing here."""
    code = Code("a")
    session = code.declare(CLASS, "Session")
    own = code.declare(EXTENSION, "Session")
    code.declare(EXTENSION, "String")
    assert [(edge.source, edge.target) for edge in link_all(code)["a"].edges if edge.kind is EdgeKind.EXTEND] == [(own.id, session.id)]


def test_override_leads_to_what_it_overrides() -> None:
    """S7: by name and labels, past a class that does not have it."""
    code = Code("a")
    base = code.declare(CLASS, "Base")
    code.declare(METHOD, "load", base, labels=("all",))
    plain = code.declare(METHOD, "load", base)
    code.declare(CLASS, "Middle", inherits=("Base",))
    load = code.declare(METHOD, "load", code.declare(CLASS, "Derived", inherits=("Middle",)), modifiers=Modifier.OVERRIDE)
    assert [(edge.source, edge.target) for edge in link_all(code)["a"].edges if edge.kind is EdgeKind.OVERRIDE] == [(load.id, plain.id)]


def test_requirement_leads_to_all_that_may_run() -> None:
    """T4: members of conforming types, defaults in extensions, and members that a superclass lends; never the requirement itself."""
    code, other = Code("a"), Code("b")
    protocol = code.declare(PROTOCOL, "Source")
    requirement = code.declare(METHOD, "fetch", protocol, labels=("_",))
    default = code.declare(METHOD, "fetch", code.declare(EXTENSION, "Source"), labels=("_",))
    own = other.declare(METHOD, "fetch", other.declare(CLASS, "Disk", inherits=("Source",)), labels=("_",))
    other.declare(METHOD, "fetch", other.declare(CLASS, "Unrelated"), labels=("_",))
    lent = other.declare(METHOD, "fetch", other.declare(CLASS, "Base"), labels=("_",))
    other.declare(CLASS, "Net", inherits=("Base", "Source"))
    other.declare(METHOD, "fetch", other.declare(STRUCT, "Odd", inherits=("Source",)), labels=("slowly",))
    edges = [edge for edge in link_all(code, other)["a"].edges if edge.kind is EdgeKind.WITNESS]
    assert {edge.source for edge in edges} == {requirement.id}
    assert {edge.target for edge in edges} == {default.id, own.id, lent.id}


# ---- constructors


def test_call_of_a_type_means_the_initialiser_that_fits() -> None:
    """C1: labels tell initialisers apart."""
    code = Code("a")
    session = code.declare(CLASS, "Session")
    code.declare(INIT, "init", session, labels=("queue",))
    code.declare(INIT, "init", session, labels=("url", "retries"), defaults=("retries",))
    run = code.declare(FUNCTION, "run")
    site = code.call(run, "Session", labels=("url",))
    links = link_all(code)["a"]
    assert meanings(links, site, code) == [("C1", "Session.init(url:retries:)")]
    assert links.edges[0].kind is EdgeKind.CONSTRUCT


@pytest.mark.parametrize(
    ("initialisers", "labels", "rule"),
    [((), ("a",), "C2"), ((("_",), ("_",)), ("_",), "C3"), ((("a",),), ("b",), "C4")],
    ids=["no initialiser is declared", "several fit", "none fits"],
)
def test_type_stands_for_its_initialiser_where_that_is_not_certain(
    initialisers: tuple[tuple[str, ...], ...], labels: tuple[str, ...], rule: str
) -> None:
    """C2, C3, C4: it is certain that the type is made, so the edge leads to the type."""
    code = Code("a")
    code.declare(STRUCT, "Point")
    for each in initialisers:
        code.declare(INIT, "init", code.declare(EXTENSION, "Point"), labels=each)
    site = code.call(code.declare(FUNCTION, "run"), "Point", labels=labels)
    assert meanings(link_all(code)["a"], site, code) == [(rule, "Point")]


def test_initialiser_added_to_an_external_type_needs_its_labels() -> None:
    """C5: `Color(hex:)` is the project's, `Color(red:)` is not."""
    code = Code("a")
    code.declare(INIT, "init", code.declare(EXTENSION, "Color"), labels=("hex",))
    run = code.declare(FUNCTION, "run")
    own, other = code.call(run, "Color", labels=("hex",)), code.call(run, "Color", labels=("red",))
    links = link_all(code)["a"]
    assert meanings(links, own, code) == [("C5", "Color.init(hex:)")]
    assert meanings(links, other, code) == []


def test_initialiser_of_the_superclass_is_meant_by_super_init() -> None:
    """C1: `super.init` looks above the type."""
    code = Code("a")
    code.declare(INIT, "init", code.declare(CLASS, "Base"), labels=("name",))
    derived = code.declare(CLASS, "Derived", inherits=("Base",))
    own = code.declare(INIT, "init", derived, labels=("name",))
    site = code.call(own, "init", SUPER, labels=("name",))
    assert meanings(link_all(code)["a"], site, code) == [("C1", "Base.init(name:)")]


# ---- typed receivers


def test_receiver_chain_is_followed_through_properties_results_and_elements() -> None:
    """T1: declared types, initialisers, results of calls and subscripts each give the next receiver."""
    code, other = Code("a"), Code("b")
    app = code.declare(CLASS, "App")
    code.declare(PROPERTY, "client", app, initializer=(called("Client"),))
    run = code.declare(METHOD, "run", app)
    client = other.declare(CLASS, "Client")
    other.declare(METHOD, "sessions", client, type="Array<Session>")
    other.declare(METHOD, "resume", other.declare(CLASS, "Session"))
    site = code.call(run, "resume", SELF, name("client"), called("sessions"), INDEX)
    assert meanings(link_all(code, other)["a"], site, code, other) == [("T1", "Session.resume()")]


def test_shared_instance_is_followed() -> None:
    """T1: a static property without a written type has the type of its initialiser."""
    code = Code("a")
    manager = code.declare(CLASS, "Manager")
    code.declare(PROPERTY, "shared", manager, modifiers=Modifier.STATIC, initializer=(called("Manager"),))
    code.declare(METHOD, "poll", manager)
    site = code.call(code.declare(FUNCTION, "run"), "poll", metatype("Manager"), name("shared"))
    assert meanings(link_all(code)["a"], site, code) == [("T1", "Manager.poll()")]


def test_overloads_are_told_apart_by_labels_defaults_and_trailing_closures() -> None:
    """The overload that leaves the fewest parameters to their defaults is meant."""
    code = Code("a")
    session = code.declare(CLASS, "Session")
    code.declare(METHOD, "request", session, labels=("_",))
    code.declare(METHOD, "request", session, labels=("_", "method"))
    code.declare(METHOD, "request", session, labels=("_", "method", "completion"))
    code.declare(METHOD, "upload", session, labels=("_", "to", "handler"), defaults=("to",))
    run = code.declare(FUNCTION, "run")
    sites = [
        code.call(run, "request", instance("Session"), labels=("_",)),
        code.call(run, "request", instance("Session"), labels=("_", "method")),
        code.call(run, "request", instance("Session"), labels=("_", "method"), trailing=1),
        code.call(run, "upload", instance("Session"), labels=("_",), trailing=1),
    ]
    links = link_all(code)["a"]
    assert [meanings(links, site, code)[0][1] for site in sites] == [
        "Session.request(_:)",
        "Session.request(_:method:)",
        "Session.request(_:method:completion:)",
        "Session.upload(_:to:handler:)",
    ]


def test_overloads_that_labels_cannot_tell_apart_are_counted_not_guessed() -> None:
    """An ambiguous call becomes no edge, and the number of candidates is kept."""
    code = Code("a")
    code.declare(CLASS, "Session")
    for _ in range(2):
        code.declare(METHOD, "send", code.declare(EXTENSION, "Session"), labels=("_",))
    site = code.call(code.declare(FUNCTION, "run"), "send", instance("Session"), labels=("_",))
    links = link_all(code)["a"]
    assert meanings(links, site, code) == []
    assert [(each.name, each.candidates, each.external) for each in links.unresolved] == [("send", 2, False)]


def test_branches_of_conditional_compilation_are_one_declaration() -> None:
    """Equal declarations side by side are not an ambiguity."""
    code = Code("a")
    session = code.declare(CLASS, "Session")
    for _ in range(2):
        code.declare(METHOD, "send", session, labels=("_",))
    site = code.call(code.declare(FUNCTION, "run"), "send", instance("Session"), labels=("_",))
    assert meanings(link_all(code)["a"], site, code) == [("T1", "Session.send(_:)")]


def test_requirement_is_preferred_to_its_default_implementation() -> None:
    """Through a protocol it is the requirement that is called; the default is one of its witnesses."""
    code = Code("a")
    protocol = code.declare(PROTOCOL, "Source")
    requirement = code.declare(METHOD, "fetch", protocol)
    code.declare(METHOD, "fetch", code.declare(EXTENSION, "Source"))
    site = code.call(code.declare(FUNCTION, "run"), "fetch", instance("Source"))
    (edge,) = [edge for edge in link_all(code)["a"].edges if edge.line == site.line]
    assert edge.target == requirement.id


def test_default_implementation_is_meant_where_the_type_has_none_of_its_own() -> None:
    """T2: a member that only a protocol's extension declares is found through the conforming type."""
    code = Code("a")
    code.declare(PROTOCOL, "Source")
    code.declare(METHOD, "fetchAll", code.declare(EXTENSION, "Source"))
    code.declare(STRUCT, "Disk", inherits=("Source",))
    site = code.call(code.declare(FUNCTION, "run"), "fetchAll", instance("Disk"))
    assert meanings(link_all(code)["a"], site, code) == [("T2", "Source.fetchAll()")]


def test_generic_argument_gives_the_type_of_a_result() -> None:
    """A member that returns a generic parameter returns what the receiver was given for it."""
    code = Code("a")
    box = code.declare(STRUCT, "Box", generics=(("Value", ""),))
    code.declare(PROPERTY, "content", box, type="Value")
    code.declare(METHOD, "rotate", code.declare(CLASS, "Photo"))
    site = code.call(code.declare(FUNCTION, "run"), "rotate", instance("Box<Photo>"), name("content"))
    assert meanings(link_all(code)["a"], site, code) == [("T1", "Photo.rotate()")]


def test_alias_is_looked_through() -> None:
    """A typealias has the members of what it stands for."""
    code = Code("a")
    code.declare(SymbolKind.TYPEALIAS, "Net", type="Session")
    code.declare(METHOD, "open", code.declare(CLASS, "Session"))
    site = code.call(code.declare(FUNCTION, "run"), "open", instance("Net"))
    assert meanings(link_all(code)["a"], site, code) == [("T1", "Session.open()")]


def test_extension_member_of_an_external_type() -> None:
    """T3: what the project adds to a library's type is found on it."""
    code = Code("a")
    code.declare(METHOD, "trimmedName", code.declare(EXTENSION, "String"))
    site = code.call(code.declare(FUNCTION, "run"), "trimmedName", instance("String"))
    assert meanings(link_all(code)["a"], site, code) == [("T3", "String.trimmedName()")]


@pytest.mark.parametrize("receiver", [(instance("URLSession"),), (instance("URLSession"), name("delegateQueue"))])
def test_external_receiver_is_never_matched_to_a_project_name(receiver: tuple[object, ...]) -> None:
    """The project's unique `invalidateQuickly` is not what a library's object of known type is asked for."""
    code = Code("a")
    code.declare(METHOD, "invalidateQuickly", code.declare(CLASS, "Session"))
    site = code.call(code.declare(FUNCTION, "run"), "invalidateQuickly", *receiver)  # type: ignore[arg-type]
    links = link_all(code)["a"]
    assert meanings(links, site, code) == []
    assert [(each.external, each.candidates) for each in links.unresolved] == [(True, 0)]


def test_member_that_the_known_type_lacks_is_not_looked_for_elsewhere() -> None:
    """A receiver of known type rules out the members of all other types."""
    code = Code("a")
    code.declare(CLASS, "Session")
    code.declare(METHOD, "reticulate", code.declare(CLASS, "Spline"))
    site = code.call(code.declare(FUNCTION, "run"), "reticulate", instance("Session"))
    assert meanings(link_all(code)["a"], site, code) == []


def test_global_function_does_not_answer_for_a_method() -> None:
    """A call with a receiver never means a top-level function."""
    code = Code("a")
    code.declare(FUNCTION, "reticulate")
    site = code.call(code.declare(FUNCTION, "run"), "reticulate", UNKNOWN)
    assert meanings(link_all(code)["a"], site, code) == []


def test_value_defined_by_itself_is_unknown() -> None:
    """Initialisers that go round in a circle end, without an edge."""
    code = Code("a")
    app = code.declare(CLASS, "App")
    code.declare(PROPERTY, "left", app, initializer=(name("right"),))
    code.declare(PROPERTY, "right", app, initializer=(name("left"),))
    site = code.call(code.declare(METHOD, "run", app), "go", SELF, name("left"))
    assert meanings(link_all(code)["a"], site, code) == []


def test_inheritance_that_goes_round_in_a_circle_ends() -> None:
    """Broken source may say that a class is its own ancestor."""
    code = Code("a")
    one = code.declare(CLASS, "One", inherits=("Two",))
    code.declare(CLASS, "Two", inherits=("One", "Two"))
    site = code.call(code.declare(METHOD, "run", one), "missing", SELF)
    assert meanings(link_all(code)["a"], site, code) == []


# ---- accesses


def test_property_access_and_method_call_of_the_same_name_are_told_apart() -> None:
    """A name that is called means the method, a name that is not means the property."""
    code = Code("a")
    session = code.declare(CLASS, "Session")
    code.declare(PROPERTY, "state", session)
    code.declare(METHOD, "state", session, labels=("of",))
    run = code.declare(METHOD, "run", session)
    access, call = code.access(run, "state", SELF), code.call(run, "state", SELF, labels=("of",))
    links = link_all(code)["a"]
    assert meanings(links, access, code) == [("S1", "Session.state")]
    assert meanings(links, call, code) == [("S1", "Session.state(of:)")]


def test_function_named_without_being_called_is_accessed() -> None:
    """`map(transform)` hands the function on: an access, by which it may be reached."""
    code = Code("a")
    session = code.declare(CLASS, "Session")
    code.declare(METHOD, "transform", session, labels=("_",))
    code.access(code.declare(METHOD, "run", session), "transform", SELF)
    assert [edge.kind for edge in link_all(code)["a"].edges] == [EdgeKind.ACCESS]


# ---- contextual and guessed


def test_implicit_member_is_read_in_the_expected_type() -> None:
    """M1: `.failed` means the case of the type that is expected, not any other of that name."""
    code = Code("a")
    for each in ("Upload", "Download"):
        code.declare(CASE, "failed", code.declare(ENUM, each))
    site = code.access(code.declare(FUNCTION, "run"), "failed", IMPLICIT, expected="Download")
    assert meanings(link_all(code)["a"], site, code) == [("M1", "Download.failed")]


def test_implicit_member_without_a_context_must_be_unique_and_not_a_common_name() -> None:
    """M2: `.inputFileNil` is believed, `.failure` and a name that two types offer are not."""
    code = Code("a")
    reason = code.declare(ENUM, "Reason")
    for each in ("inputFileNil", "failure", "both"):
        code.declare(CASE, each, reason)
    code.declare(CASE, "both", code.declare(ENUM, "Other"))
    run = code.declare(FUNCTION, "run")
    sites = [code.access(run, each, IMPLICIT) for each in ("inputFileNil", "failure", "both")]
    links = link_all(code)["a"]
    assert [meanings(links, site, code) for site in sites] == [[("M2", "Reason.inputFileNil")], [], []]


def test_element_of_an_external_container_has_its_members() -> None:
    """M3: `items.first.refresh()` is a call on what the list holds."""
    code = Code("a")
    code.declare(METHOD, "recalculate", code.declare(CLASS, "Item"))
    site = code.call(code.declare(FUNCTION, "run"), "recalculate", instance("Array<Item>"), name("first"))
    assert meanings(link_all(code)["a"], site, code) == [("M3", "Item.recalculate()")]


def test_unknown_receiver_gives_a_maybe_only_for_a_telling_unique_name() -> None:
    """U1, by its labels; common names and shared names give nothing."""
    code = Code("a")
    session = code.declare(CLASS, "Session")
    for each in ("reticulate", "append", "shared"):
        code.declare(METHOD, each, session)
    code.declare(METHOD, "shared", code.declare(CLASS, "Other"))
    run = code.declare(FUNCTION, "run")
    sites = [code.call(run, each, UNKNOWN) for each in ("reticulate", "append", "shared")]
    links = link_all(code)["a"]
    assert [meanings(links, site, code) for site in sites] == [[("U1", "Session.reticulate()")], [], []]
    assert [edge.confidence for edge in links.edges] == [0.9]


def test_without_labels_a_unique_name_stays_a_guess() -> None:
    """U5: languages whose calls bear no labels have less to compare, so nothing follows such an edge."""
    code = Code("a.py", language="python")
    code.declare(METHOD, "reticulate", code.declare(CLASS, "Session"))
    site = code.call(code.declare(FUNCTION, "run"), "reticulate", UNKNOWN)
    links = link_all(code)["a.py"]
    assert meanings(links, site, code) == [("U5", "Session.reticulate()")]
    assert [edge.confidence for edge in links.edges] == [0.3]


def test_prose_names_what_is_unique() -> None:
    """U2, U3: a heading mentions the type by its unique name and the member by its type; an ambiguous name mentions nothing."""
    code, prose = Code("a"), Code("README.md")
    session = code.declare(CLASS, "Session")
    code.declare(METHOD, "request", session)
    code.declare(METHOD, "request", code.declare(CLASS, "Other"))
    heading = prose.declare(SymbolKind.HEADING, "Usage")
    sites = [
        prose.refer(ReferenceKind.MENTION, heading, "Session"),
        prose.refer(ReferenceKind.MENTION, heading, "request", metatype("Session")),
        prose.refer(ReferenceKind.MENTION, heading, "request"),
    ]
    links = link_all(code, prose)["README.md"]
    assert [meanings(links, site, code, prose) for site in sites] == [[("U2", "Session")], [("U3", "Session.request()")], []]


def test_reference_of_an_unknown_source_is_left_out() -> None:
    """A parser's mistake costs the reference, not the file."""
    code = Code("a")
    run = code.declare(FUNCTION, "run")
    stray = Code("b").declare(FUNCTION, "stray")
    code.call(stray, "run")
    site = code.call(run, "run")
    assert meanings(link_all(code)["a"], site, code) == [("S3", "run()")]


def test_external_type_has_its_own_of_what_a_protocol_of_the_project_requires() -> None:
    """`extension UITableView: HasDataSource` says that the library's class has it; an extension member is the project's."""
    code = Code("a")
    code.declare(PROPERTY, "dataSource", code.declare(PROTOCOL, "HasDataSource"))
    code.declare(PROPERTY, "isEmptyNow", code.declare(EXTENSION, "HasDataSource"))
    code.declare(EXTENSION, "UITableView", inherits=("HasDataSource",))
    run = code.declare(FUNCTION, "run")
    theirs, ours = code.access(run, "dataSource", instance("UITableView")), code.access(run, "isEmptyNow", instance("UITableView"))
    links = link_all(code)["a"]
    assert meanings(links, theirs, code) == []
    assert meanings(links, ours, code) == [("T3", "HasDataSource.isEmptyNow")]


def test_plain_subscript_of_an_external_type_is_the_librarys() -> None:
    """`events[0]` is not the subscript that the project adds to arrays, `events[safe: 0]` is."""
    code = Code("a")
    array = code.declare(EXTENSION, "Array")
    code.declare(SymbolKind.SUBSCRIPT, "subscript", array, labels=("_",))
    code.declare(SymbolKind.SUBSCRIPT, "subscript", array, labels=("safe",))
    run = code.declare(FUNCTION, "run")
    plain = code.call(run, "subscript", instance("Array<Int>"), labels=("_",))
    safe = code.call(run, "subscript", instance("Array<Int>"), labels=("safe",))
    links = link_all(code)["a"]
    assert meanings(links, plain, code) == []
    assert meanings(links, safe, code) == [("T3", "Array.subscript(safe:)")]


def test_closure_that_the_parser_lost_is_allowed_for_where_nothing_else_fits() -> None:
    """A call that lacks exactly its last argument had a trailing closure."""
    code = Code("a")
    session = code.declare(CLASS, "Session")
    code.declare(METHOD, "start", session, labels=("at", "action"))
    site = code.call(code.declare(FUNCTION, "run"), "start", instance("Session"), labels=("at",))
    assert meanings(link_all(code)["a"], site, code) == [("T1", "Session.start(at:action:)")]
