"""What is done for each kind of node in Swift code."""

from __future__ import annotations

from collections.abc import Mapping

from services.indexer.languages.swift import expressions, statements
from services.indexer.languages.swift.chains import BINARY, CHAINED, read_chained, read_identifier
from services.indexer.languages.swift.closures import read_closure_value
from services.indexer.languages.swift.reader import Handler
from services.indexer.languages.swift.types import TYPE_NODES

_DECLARATIONS = (
    *("function_declaration", "class_declaration", "protocol_declaration", "typealias_declaration", "init_declaration", "deinit_declaration"),
    *("subscript_declaration", "enum_entry", "macro_declaration", "operator_declaration", "associatedtype_declaration"),
    *("protocol_function_declaration", "protocol_property_declaration"),
)

_SKIPPED = (
    *("comment", "multiline_comment", "directive", "diagnostic", "special_literal", "nil_literal", "regex_literal", "precedence_group_declaration"),
    *(
        "availability_condition",
        "statement_label",
        "where_keyword",
        "import_declaration",
        "wildcard_pattern",
        "bang",
        "line_str_text",
        "throw_keyword",
    ),
    *("visibility_modifier", "ownership_modifier", "property_modifier", "try_operator", "else", "value_argument_label"),
)

HANDLERS: Mapping[str, Handler] = {
    **dict.fromkeys(_SKIPPED, expressions.read_skip),
    **dict.fromkeys(_DECLARATIONS, statements.read_declaration),
    **dict.fromkeys(expressions.LITERALS, expressions.read_literal),
    **dict.fromkeys(CHAINED, read_chained),
    **dict.fromkeys(BINARY, expressions.read_binary),
    **dict.fromkeys(TYPE_NODES, expressions.read_type_node),
    **dict.fromkeys(("try_expression", "await_expression", "consume_expression", "interpolated_expression"), expressions.read_only),
    **dict.fromkeys(("range_expression", "open_start_range_expression", "open_end_range_expression"), expressions.read_range),
    **dict.fromkeys(("if_statement", "while_statement", "repeat_while_statement"), statements.read_conditional),
    **dict.fromkeys(("line_string_literal", "multi_line_string_literal", "raw_string_literal"), expressions.read_string),
    **dict.fromkeys(("computed_property", "willset_didset_block"), statements.read_accessors),
    "simple_identifier": read_identifier,
    "self_expression": expressions.read_self,
    "super_expression": expressions.read_super,
    "constructor_expression": expressions.read_constructor,
    "prefix_expression": read_chained,
    "ternary_expression": expressions.read_ternary,
    "nil_coalescing_expression": expressions.read_coalescing,
    "as_expression": expressions.read_cast,
    "check_expression": expressions.read_check,
    "tuple_expression": expressions.read_tuple,
    "array_literal": expressions.read_array,
    "dictionary_literal": expressions.read_dictionary,
    "key_path_expression": expressions.read_key_path,
    "macro_invocation": expressions.read_macro,
    "assignment": expressions.read_assignment,
    "attribute": expressions.read_attribute,
    "lambda_literal": read_closure_value,
    "statements": statements.read_block,
    "function_body": statements.read_function_body,
    "control_transfer_statement": statements.read_transfer,
    "guard_statement": statements.read_guard,
    "for_statement": statements.read_for,
    "switch_statement": statements.read_switch,
    "do_statement": statements.read_do,
    "property_declaration": statements.read_variable,
}
"""Kinds that are missing here are read by reading whatever is inside."""
