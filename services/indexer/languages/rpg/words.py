"""Words of RPG: operation codes, and what looks like a call and is none."""

from __future__ import annotations

FREE_OPERATIONS = frozenset(
    {
        *("ACQ", "BEGSR", "CALLP", "CHAIN", "CLEAR", "CLOSE", "COMMIT", "DATA-GEN", "DATA-INTO", "DEALLOC", "DELETE", "DOU", "DOW", "DSPLY", "DUMP"),
        *("ELSE", "ELSEIF", "ENDDO", "ENDFOR", "ENDIF", "ENDMON", "ENDSL", "ENDSR", "EVAL", "EVALR", "EVAL-CORR", "EXCEPT", "EXEC", "EXFMT", "EXSR"),
        *("FEOD", "FOR", "FOR-EACH", "FORCE", "IF", "IN", "ITER", "LEAVE", "LEAVESR", "MONITOR", "NEXT", "ON-ERROR", "ON-EXCP", "ON-EXIT", "OPEN"),
        *("OTHER", "OUT", "POST", "READ", "READC", "READE", "READP", "READPE", "REL", "RESET", "RETURN", "ROLBK", "SELECT", "SETGT", "SETLL"),
        *("SND-MSG", "SORTA", "TEST", "UNLOCK", "UPDATE", "WHEN", "WHEN-IN", "WHEN-IS", "WRITE", "XML-INTO", "XML-SAX", "END"),
    }
)
"""First words of free statements that are no names."""

EXTENDED = frozenset(
    {
        *("CALLP", "DATA-GEN", "DATA-INTO", "DOU", "DOW", "ELSEIF", "EVAL", "EVALR", "EVAL-CORR", "FOR", "FOR-EACH", "IF", "ON-ERROR", "ON-EXCP"),
        *("RETURN", "SND-MSG", "SORTA", "WHEN", "WHEN-IN", "WHEN-IS", "XML-INTO", "XML-SAX"),
    }
)
"""Operations whose second factor is an expression that reaches to column 80 and onto further lines."""

OLD_OPERATIONS = frozenset(
    {
        *("ADD", "SUB", "MULT", "DIV", "Z-ADD", "Z-SUB", "MVR", "SQRT", "XFOOT", "MOVE", "MOVEL", "MOVEA", "MHHZO", "MLLZO", "BITON", "BITOF"),
        *("TESTB", "TESTN", "TESTZ", "COMP", "SETON", "SETOF", "GOTO", "TAG", "BEGSR", "ENDSR", "EXSR", "CALL", "PARM", "PLIST", "KLIST", "KFLD"),
        *("CHAIN", "READ", "READE", "READP", "READC", "REDPE", "SETLL", "SETGT", "WRITE", "UPDAT", "DELET", "EXFMT", "EXCPT", "OPEN", "CLOSE"),
        *("FEOD", "UNLCK", "DO", "END", "ELSE", "SELEC", "OTHER", "ENDSL", "ENDIF", "ENDDO", "ENDCS", "LEAVE", "ITER", "DEFN", "IN", "OUT", "TIME"),
        *("DSPLY", "DUMP", "LOKUP", "SORTA", "CAT", "SCAN", "SUBST", "XLATE", "CHECK", "CHEKR", "RETRN", "FREE", "ACQ", "REL", "NEXT", "POST"),
        *("FORCE", "COMIT", "ROLBK", "IFEQ", "IFNE", "IFGT", "IFLT", "IFGE", "IFLE", "DOWEQ", "DOWNE", "DOWGT", "DOWLT", "DOWGE", "DOWLE", "DOUEQ"),
        *("DOUNE", "DOUGT", "DOULT", "ANDEQ", "ANDNE", "OREQ", "ORNE", "ANDGT", "ANDLT", "ANDGE", "ANDLE", "ORGT", "ORLT", "ORGE", "ORLE", "WHEQ"),
        *("WHNE", "WHGT", "WHLT", "CABEQ", "CABNE", "CABGT", "CABLT", "CABGE", "CABLE", "CASEQ", "CASNE", "CASGT", "CASLT", "CASGE", "CASLE"),
        *("CAS", "CLEAR", "RESET"),
    }
)
"""Operations of RPG III, which tell its layout from that of ILE."""

NO_NAMES = frozenset(
    {"AND", "OR", "NOT", "IF", "ELSEIF", "WHEN", "WHEN-IN", "WHEN-IS", "DOW", "DOU", "RETURN", "TO", "BY", "DOWNTO", "FOR", "IN", "IS", "ON", "EVAL"}
)
"""Words within expressions that name nothing."""

RUNTIME_SUBROUTINES = frozenset({"*INZSR", "*PSSR"})
"""Subroutines that the language's runtime calls: at the start, and when an exception is not handled."""


def nesting(operation: str) -> int:
    """By how much an operation changes how deep the following statements are nested."""
    if operation.startswith("END") and operation not in {"ENDSR", "END-PROC", "END-PI", "END-PR", "END-DS"}:
        return -1
    if operation in {"IF", "DO", "DOW", "DOU", "SELECT", "SELEC", "FOR", "FOR-EACH", "MONITOR"}:
        return 1
    return 1 if operation[:2] == "IF" and len(operation) == 4 else int(operation[:3] in {"DOW", "DOU"} and len(operation) == 5)
