"""The numbers of an index store and what they mean.

Values are those on disk and in the C interface of libIndexStore (``INDEXSTORE_*``), format version 5. Newer compilers add values: fields that
hold them are plain integers, and a number that has no name here stays what it is.

Source of the values: indexstore.h of the Swift project's clang and of indexstore-db.
"""

from __future__ import annotations

import enum

FORMAT_VERSION = 5


class Role(enum.IntFlag):
    """What an occurrence does to its symbol, and how a related symbol is related to it."""

    DECLARATION = 1 << 0
    DEFINITION = 1 << 1
    REFERENCE = 1 << 2
    READ = 1 << 3
    WRITE = 1 << 4
    CALL = 1 << 5
    DYNAMIC = 1 << 6
    """Dispatched at run time: the member that runs may be an override or a witness of the one named."""
    ADDRESS_OF = 1 << 7
    IMPLICIT = 1 << 8
    """Made by the compiler; nothing stands in the source for it."""
    CHILD_OF = 1 << 9
    BASE_OF = 1 << 10
    OVERRIDE_OF = 1 << 11
    RECEIVED_BY = 1 << 12
    CALLED_BY = 1 << 13
    EXTENDED_BY = 1 << 14
    ACCESSOR_OF = 1 << 15
    CONTAINED_BY = 1 << 16
    IB_TYPE_OF = 1 << 17
    SPECIALIZATION_OF = 1 << 18
    UNDEFINITION = 1 << 19
    NAME_REFERENCE = 1 << 20


class Kind(enum.IntEnum):
    UNKNOWN = 0
    MODULE = 1
    NAMESPACE = 2
    NAMESPACE_ALIAS = 3
    MACRO = 4
    ENUM = 5
    STRUCT = 6
    CLASS = 7
    PROTOCOL = 8
    EXTENSION = 9
    UNION = 10
    TYPEALIAS = 11
    FUNCTION = 12
    VARIABLE = 13
    FIELD = 14
    ENUM_CONSTANT = 15
    INSTANCE_METHOD = 16
    CLASS_METHOD = 17
    STATIC_METHOD = 18
    INSTANCE_PROPERTY = 19
    CLASS_PROPERTY = 20
    STATIC_PROPERTY = 21
    CONSTRUCTOR = 22
    DESTRUCTOR = 23
    CONVERSION_FUNCTION = 24
    PARAMETER = 25
    USING = 26
    CONCEPT = 27
    COMMENT_TAG = 1000


class Subkind(enum.IntEnum):
    NONE = 0
    CXX_COPY_CONSTRUCTOR = 1
    CXX_MOVE_CONSTRUCTOR = 2
    GETTER = 3
    SETTER = 4
    USING_TYPENAME = 5
    USING_VALUE = 6
    USING_ENUM = 7
    WILL_SET = 1000
    DID_SET = 1001
    ADDRESSOR = 1002
    MUTABLE_ADDRESSOR = 1003
    EXTENSION_OF_STRUCT = 1004
    EXTENSION_OF_CLASS = 1005
    EXTENSION_OF_ENUM = 1006
    EXTENSION_OF_PROTOCOL = 1007
    PREFIX_OPERATOR = 1008
    POSTFIX_OPERATOR = 1009
    INFIX_OPERATOR = 1010
    SUBSCRIPT = 1011
    ASSOCIATED_TYPE = 1012
    GENERIC_PARAMETER = 1013
    READ_ACCESSOR = 1014
    MODIFY_ACCESSOR = 1015


def is_accessor(subkind: int) -> bool:
    """Whether a subkind is an accessor of a property; kinds of accessor that are newer than this table lie above its last one."""
    return subkind in {Subkind.GETTER, Subkind.SETTER} or Subkind.WILL_SET <= subkind <= Subkind.MUTABLE_ADDRESSOR or subkind >= Subkind.READ_ACCESSOR


def is_operator(subkind: int) -> bool:
    return Subkind.PREFIX_OPERATOR <= subkind <= Subkind.INFIX_OPERATOR
