"""What the standard library's types are, as far as projects extend them: a method that is added to ``Collection`` is called on arrays."""

from __future__ import annotations

from collections.abc import Mapping

_COLLECTION = ("Collection", "Sequence")
_INTEGER = ("FixedWidthInteger", "BinaryInteger", "Numeric", "Strideable", "Comparable", "Hashable", "Equatable", "Encodable", "Decodable")
_TEXT = ("StringProtocol", "BidirectionalCollection", *_COLLECTION, "Comparable", "Hashable", "Equatable", "Encodable", "Decodable")
_LIST = ("RandomAccessCollection", "MutableCollection", "RangeReplaceableCollection", "BidirectionalCollection", *_COLLECTION)
_ERROR = ("Error",)

SUPERTYPES: Mapping[str, tuple[str, ...]] = {
    "Array": _LIST,
    "ArraySlice": _LIST,
    "ContiguousArray": _LIST,
    "Data": _LIST,
    "Set": ("SetAlgebra", *_COLLECTION),
    "Dictionary": _COLLECTION,
    "String": _TEXT,
    "Substring": _TEXT,
    "Range": ("RangeExpression", *_LIST),
    "ClosedRange": ("RangeExpression", *_LIST),
    **dict.fromkeys(("Int", "Int8", "Int16", "Int32", "Int64"), ("SignedInteger", *_INTEGER)),
    **dict.fromkeys(("UInt", "UInt8", "UInt16", "UInt32", "UInt64"), ("UnsignedInteger", *_INTEGER)),
    **dict.fromkeys(
        ("Double", "Float", "CGFloat"), ("BinaryFloatingPoint", "FloatingPoint", "Numeric", "Strideable", "Comparable", "Hashable", "Equatable")
    ),
    **dict.fromkeys(("RandomAccessCollection", "MutableCollection", "BidirectionalCollection", "RangeReplaceableCollection"), _COLLECTION),
    "Collection": ("Sequence",),
    **dict.fromkeys(("LocalizedError", "CustomNSError", "NSError", "URLError", "DecodingError", "EncodingError", "POSIXError"), _ERROR),
}
"""By the names that sources use; what the element is stays what it is."""

SINGLETONS = frozenset({"default", "shared", "standard", "current", "main"})
"""Static members that frameworks give their types, and that are values of the type itself: ``FileManager.default``."""
