"""C, C++ and Objective-C, on the grammars of tree-sitter-c and tree-sitter-cpp."""

from __future__ import annotations

from services.indexer.language import Language, Source, Syntax


class C(Language):
    """C of all standards. A header that speaks C++ is read as such: both are one family, and a suffix does not tell."""

    name = "c"
    suffixes = (".c", ".h")
    version = 5

    def parse(self, source: Source) -> Syntax:
        from services.indexer.languages.c.source import read, speaks_cpp

        return read(source, "cpp" if source.path.endswith((".h", ".H")) and speaks_cpp(source.content) else "c")


class Cpp(Language):
    """C++, as far as declarations and calls can be told without a compiler."""

    name = "cpp"
    suffixes = (".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".cu", ".cuh")
    version = 4

    def parse(self, source: Source) -> Syntax:
        from services.indexer.languages.c.source import read

        return read(source, "cpp")


class ObjectiveC(Language):
    """Classes, methods and functions of Objective-C, and of its messages those to ``self`` and to classes. Other files of its suffix are text."""

    name = "objective-c"
    suffixes = (".m", ".mm")
    version = 4

    def parse(self, source: Source) -> Syntax:
        from services.indexer.languages.c.objective import speaks_objective_c
        from services.indexer.languages.c.source import read

        if not speaks_objective_c(source.content):
            return Syntax()
        return read(source, "cpp" if source.path.endswith((".mm", ".MM")) else "c")
