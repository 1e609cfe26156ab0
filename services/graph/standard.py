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

COMMON_IN_PYTHON = frozenset(
    # Methods of built-in types and of what most programs use.
    """
    acquire add append cancel capitalize clear close commit connect copy count cursor debug decode delete difference discard emit encode endswith
    error execute exists exit expand extend fetch fetchall fetchone fileno filter find findall finditer flush format from_dict fromkeys fullmatch
    get getvalue group groups handle index info insert intersection is_dir is_file isalnum isalpha isdigit isdisjoint islower isoformat isspace
    issubset isupper items iterdir join json keys kill listen ljust load loads lock lower lstrip match mkdir name next notify open parse partition
    pop popitem poll process put query read read_bytes read_text readable readline readlines recv register release remove render replace request
    reset resolve result reverse rfind rpartition rsplit rstrip run save search seek send serialize set setdefault setup shutdown sort split
    splitlines start startswith status stop strip sub submit swapcase tell terminate title translate truncate union unlink update upper validate
    values wait warning with_suffix write write_bytes write_text writelines zfill
    """.split()  # noqa: SIM905 - read, and compared in a diff, more easily than as literals
)

COMMON_IN_SCRIPT = frozenset(
    # Methods of built-in objects, of the document and of what most programs use.
    """
    abort addEventListener addListener append appendChild apply assign at bind call catch charAt charCodeAt clear click clone close closest concat
    connect contains copy create createElement debug delete destroy dispatch dispatchEvent emit end endsWith entries error every exec exit fetch
    fill filter finally find findIndex flat flatMap flush focus forEach format freeze from get getAttribute getItem getTime has hasOwnProperty
    includes indexOf info init insert isArray join keys lastIndexOf load localeCompare lock log map match matchAll next normalize now observe off on
    once open padEnd padStart parse pause pipe pop postMessage preventDefault process push put querySelector querySelectorAll race read reduce
    register reject release remove removeAttribute removeChild removeEventListener removeItem removeListener render repeat replace replaceAll
    request reset resolve resume reverse run save search send set setAttribute setItem setup shift slice some sort splice split start startsWith
    status stop stringify submit subscribe substr substring test text then throw toFixed toISOString toJSON toLowerCase toString toUpperCase trim
    trimEnd trimStart unshift unsubscribe update use validate value valueOf values wait warn write
    """.split()  # noqa: SIM905 - read, and compared in a diff, more easily than as literals
)

LIBRARY_OF_C = frozenset(
    # Functions and values of the standard library and of POSIX: called everywhere, and given another meaning only where a header says so.
    """
    INT_MAX INT_MIN LONG_MAX LONG_MIN PATH_MAX SIZE_MAX STDERR_FILENO STDIN_FILENO STDOUT_FILENO UINT_MAX ULONG_MAX abort abs accept access acos
    alarm asctime asin assert atan atan2 atexit atof atoi atol atoll bind bool bsearch calloc ceil chdir chmod chown clearerr clock clock_gettime
    close closedir connect cos cosh ctime difftime div dup dup2 environ errno execl execle execlp execv execve execvp exit exp fabs false fclose
    fcntl fdopen feof ferror fflush ffs fgetc fgetpos fgets fileno floor fmod fopen fork fprintf fputc fputs fread free freeaddrinfo freopen frexp
    fscanf fseek fseeko fsetpos fstat fsync ftell ftello ftruncate fwrite gai_strerror getaddrinfo getc getchar getcwd getenv gethostbyname
    gethostname getline getnameinfo getopt getpagesize getpeername getpid getppid getpwnam getrlimit getrusage getsockname getsockopt gettimeofday
    getuid gmtime gmtime_r htonl htons inet_ntop inet_pton ioctl isalnum isalpha isascii isatty iscntrl isdigit isfinite isgraph isinf islower isnan
    isprint ispunct isspace isupper isxdigit kill labs ldexp listen llabs localeconv localtime localtime_r log log10 log2 longjmp lseek lstat malloc
    mbstowcs memchr memcmp memcpy memmem memmove memset mkdir mkdtemp mkstemp mktime mmap modf mprotect munmap nanosleep ntohl ntohs open opendir
    pause perror pipe poll posix_memalign pow pread printf pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal
    pthread_cond_wait pthread_create pthread_join pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_trylock
    pthread_mutex_unlock pthread_self putc putchar puts pwrite qsort raise rand random read readdir readlink realloc recv recvfrom recvmsg remove
    rename rewind rmdir round scanf select send sendmsg sendto setbuf setenv setitimer setjmp setlocale setpgid setrlimit setsid setsockopt setuid
    setvbuf shutdown sigaction sigaddset sigemptyset signal sigprocmask sin sinh sleep snprintf socket socketpair sprintf sqrt srand srandom sscanf
    stat stderr stdin stdout stpcpy strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror strerror_r strftime strlcat strlcpy
    strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strptime strrchr strsep strsignal strspn strstr strtod strtof strtok strtok_r
    strtol strtold strtoll strtoul strtoull symlink sysconf system tan tanh time times tmpfile tolower toupper true truncate umask uname ungetc
    unlink unsetenv usleep utimes va_arg va_copy va_end va_start vfprintf vprintf vsnprintf vsprintf vsscanf wait wait3 waitpid wcslen wcstombs
    write writev
    """.split()  # noqa: SIM905 - read, and compared in a diff, more easily than as literals
)
