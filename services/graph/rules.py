"""The rules by which references become edges: a table of identifier, tier, confidence and reason.

A confidence is the precision that was measured against the compiler (``benchmarks/edges.py``) over 17,353 calls within eight Swift packages and an
application: Alamofire, RxSwift, SwiftFormat, swift-argument-parser, PromiseKit, swift-log, ZIPFoundation, Nimble, NintendoEmulator. The counts stand
behind the reasons. Where they are small, the confidence is drawn towards that of the tier as if by twenty further calls, and none is more than 0.99.
A rule without counts was not measured and states what its tier promises. A rule that does not keep its promise is corrected or loses its confidence,
never excused.
"""

from __future__ import annotations

from dataclasses import dataclass

from exegesis.model import Tier


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    tier: Tier
    confidence: float
    reason: str


def _table(*rules: Rule) -> dict[str, Rule]:
    found = {rule.id: rule for rule in rules}
    assert len(found) == len(rules), "two rules of one identifier"
    return found


RULES = _table(
    Rule("E1", Tier.EXACT, 1.0, "a compiler's record of the present text names what is called"),
    Rule("E2", Tier.EXACT, 1.0, "the same, of what nobody wrote: the type stands for its implicit initialiser or derived member"),
    Rule("E3", Tier.EXACT, 1.0, "the same, of what is named without being called"),
    Rule("E4", Tier.EXACT, 1.0, "the same, of a call that the compiler makes and nobody wrote"),
    Rule("E5", Tier.EXACT, 1.0, "a compiler's record says what an extension extends, or what a member overrides"),
    Rule("E6", Tier.EXACT, 0.90, "a compiler's record says that the member satisfies the requirement: it may be what runs"),
    Rule(
        "S1",
        Tier.SCOPED,
        0.99,
        "a member of the enclosing type or of one of its extensions, named bare or on self, whose parameters fit; 3,614 of 3,631",
    ),
    Rule("S2", Tier.SCOPED, 0.99, "the same, inherited from a superclass or protocol, or named on super; 461 of 461"),
    Rule("S3", Tier.SCOPED, 0.98, "a function inside the enclosing one, or at the top level of the same file; 332 of 340"),
    Rule("S4", Tier.SCOPED, 0.97, "a top-level declaration of a module that the file imports by name"),
    Rule("S5", Tier.SCOPED, 0.97, "a type that this name means in this scope"),
    Rule("S6", Tier.SCOPED, 0.97, "the type that an extension extends"),
    Rule("S7", Tier.SCOPED, 0.97, "the inherited member of the same name and labels that an override overrides"),
    Rule("S8", Tier.SCOPED, 0.97, "a compiler's record names it, and its file has changed since: what has that name, labels and owner there"),
    Rule("S9", Tier.SCOPED, 0.97, "what an import of the file binds this name to, through re-exports"),
    Rule("S10", Tier.SCOPED, 0.98, "through a prototype that the file declares or copies, the procedure that a module exports under that name"),
    Rule("S11", Tier.SCOPED, 0.97, "a prototype that the file declares or copies, of what is not in the project"),
    Rule("C1", Tier.CONSTRUCTOR, 0.99, "a type in scope is called, and exactly one initialiser fits; 2,413 of 2,426"),
    Rule(
        "C2", Tier.CONSTRUCTOR, 0.98, "a type in scope is called that declares no initialiser: the type stands for the implicit one; 1,196 of 1,201"
    ),
    Rule("C3", Tier.CONSTRUCTOR, 0.96, "a type in scope is called, and several initialisers fit: the type stands for all of them; 98 of 102"),
    Rule(
        "C4",
        Tier.CONSTRUCTOR,
        0.92,
        "a type in scope is called, and no declared initialiser fits: an implicit or inherited one must, which the type stands for; 22 of 25",
    ),
    Rule(
        "C5",
        Tier.CONSTRUCTOR,
        0.99,
        "an external type is called with labels that exactly one initialiser in a project's extension of it has; 54 of 54",
    ),
    Rule("T1", Tier.TYPED, 0.99, "the receiver's type is inferred, and the type or an extension of it has the member; 5,085 of 5,100"),
    Rule("T2", Tier.TYPED, 0.99, "the receiver's type is inferred, and a supertype has the member; 272 of 273"),
    Rule("T3", Tier.TYPED, 0.99, "the receiver's type is external, and a project's extension of it has the member; 408 of 408"),
    Rule("T4", Tier.TYPED, 0.80, "a member of a conforming type that matches a protocol requirement: it may be what runs"),
    Rule("T5", Tier.TYPED, 0.90, "a variable or property is called that was given this function or class"),
    Rule("T6", Tier.TYPED, 0.75, "a method of a type that has all the methods which an interface asks for: it may be what runs"),
    Rule("M1", Tier.CONTEXTUAL, 0.99, "an implicit member of the type that the context expects; 1,769 of 1,769"),
    Rule("M2", Tier.CONTEXTUAL, 0.97, "an implicit member whose name only one type of the project offers; 480 of 480"),
    Rule("M3", Tier.CONTEXTUAL, 0.89, "called on what an external container of a project type returned, and that type has the member; 15 of 15"),
    Rule("M4", Tier.CONTEXTUAL, 0.95, "a member of a telling name that the project adds to a library's type, on what may be a value of it; 67 of 67"),
    Rule(
        "M5",
        Tier.CONTEXTUAL,
        0.77,
        "on a value of a library's type, a member that the project adds under a name that libraries use as well; 37 of 49",
    ),
    Rule("L1", Tier.MODULE, 0.97, "a top-level declaration of the module, the only one of that name that fits; 379 of 381"),
    Rule("L2", Tier.MODULE, 0.70, "an operator that the project declares once"),
    Rule("L3", Tier.MODULE, 0.95, "a program called by its name: the member of that name, the nearest of several"),
    Rule("L4", Tier.MODULE, 0.90, "a file, a table or one of its record formats by name: the nearest member that describes it"),
    Rule("U1", Tier.UNIQUE, 0.90, "the receiver's type is unknown, and one declaration of the project has this name and these labels; 24 of 26"),
    Rule("U2", Tier.UNIQUE, 0.70, "code named in prose by a name that one declaration bears"),
    Rule("U3", Tier.UNIQUE, 0.90, "code named in prose together with the type that has it"),
    Rule("U4", Tier.UNIQUE, 0.85, "a procedure that one module of the project exports, called where no prototype of it can be seen"),
    Rule("U6", Tier.UNIQUE, 0.60, "a program called by a variable that is given this name somewhere in the member: it may be what runs"),
    Rule("U7", Tier.UNIQUE, 0.85, "a program of another repository by its name, where the caller's own has none of that name"),
    Rule("U8", Tier.UNIQUE, 0.70, "a procedure that another repository exports, where a call or its prototype leads to none in the caller's own"),
    Rule("U9", Tier.UNIQUE, 0.80, "a file or table of another repository by its name, where the caller's own describes none of that name"),
    Rule("U5", Tier.UNIQUE, 0.30, "as U1 in languages whose calls bear no labels: a guess, which nothing follows"),
)

COMMON = frozenset(
    # What standard libraries call their own: on an unknown receiver such a name says nothing, however rare it is in the project.
    """
    add addObserver all allSatisfy any append apply async await begin bind cancel clear close compactMap compare components compute configure
    connect contains convert copy copyItem count create data decode default description disconnect dispatch distance drop dropFirst dropLast dump
    each element elements emit empty encode end enumerated equal error events execute exit failure fetch fill filter find finish first flatMap
    flush forEach format get getter handle hash hasPrefix hasSuffix head help hide identifier index indices info init insert invalidate isEmpty
    item items iterator join joined key keys last layout left length load lock log lowercased main make makeIterator map match max merge message
    min move moveItem name next none notify observe offset open option options output parse pause perform play pop popLast post prefix prepare
    print process push put random range read receive record reduce refresh register reload remove removeAll removeFirst removeItem removeLast
    render replace request reserve reset resize resolve resume retry reverse reversed right root run save scan schedule search seek select send
    sequence set setup setValue shared show shuffle sink size skip sleep some sort sorted source split start state status step stop store string
    stroke submit subscribe success suffix sum suspend swap sync tail take text then throw title toggle top transform trim type union unlock
    update uppercased url validate value values view wait withUnsafeBytes withUnsafeMutableBytes write zero zip
    """.split()  # noqa: SIM905 - two hundred words are read, and compared in a diff, more easily than two hundred literals
)

SHORT = 5
"""Below this many letters, and with fewer than two labels, a name is too ordinary to be a hint of anything."""
