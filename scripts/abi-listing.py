# SPDX-License-Identifier: MIT
"""Runs in gdb, for scripts/abi-listing: lists types and constants of a shared object."""
import os

import gdb

# Numbers of things that only lists and switches depend on, limits of readers, and the newest versions.
GROWS = {"IMAGE_ABI_NEEDED", "IMAGE_ABI_VERSION", "BOOT_FAULTS", "CODE_SEALED_BYTES_MAX", "CONSTANT_SEEDS_COUNT", "CPU_MODELS", "DIGEST_DEFINITION",
         "DOORBELL_OPS", "ERI_KINDS", "ERI_PARTS_MAX", "ERI_SCHEMA", "ERI_STEPS_MAX", "ERI_TREES_MAX", "LINUX_CALLS", "SCHEDULE_LINE_MAX",
         "SCHEDULE_RECORDS_MAX", "SCHED_KINDS", "SCHED_OP_END", "SCHED_PLAN_KINDS", "SCHED_POLICIES"}
# Structures that may get members at their end: each is alone in its place, where a missing tail is zero, or has its size
# with it. All others are elements of arrays, parts of others or records of files: their size is a stride and stays.
ALONE = {"boot_info", "doorbell", "event_state", "image_header", "run_stats", "sched_area", "sched_shared", "tries_shared"}
# Lists to which nothing can be added: a monitor sends these values to every kernel, also to one that does not know new ones.
CLOSED = {"trap_kind"}
# Defaults are in images and recordings, so they may change.
FREE = {"DIGEST_HEX_BYTES", "DIGEST_TEXT_BYTES", "ENVIRONMENT_DEFAULT_BYTES", "UPTIME_DEFAULT_S", "IMAGE_ABI_FIRST_PUBLISHED", "RECORD_PARTS"}
# With them: only names that begin so, because the rest of these headers is in memory only.
PREFIXES = tuple(os.environ.get("PREFIXES", "").split()) or ("",)
AGGREGATES = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)


def members(kind, name, base, out):
    """The members of a structure, with those of the nameless ones inside it."""
    for field in kind.fields():
        inner = field.type.strip_typedefs()
        path = f"{name}.{field.name}" if field.name else name
        at = base + field.bitpos
        if inner.code in AGGREGATES and not inner.tag:
            members(inner, path, at, out)
        elif field.bitsize:
            out.append(f"member {path} at bit {at}, bits {field.bitsize}")
        else:
            out.append(f"member {path} at {at // 8}, bytes {inner.sizeof}")


def constant(name, value, out):
    if name in GROWS:
        out.append(f"grows {name} {value}")
    elif name not in FREE:
        out.append(f"constant {name} {value}")


def types(out):
    largest = {}
    for symbol in gdb.lookup_global_symbol("abi_listing_end").symtab.static_block():
        if symbol.type is None or not symbol.name.startswith(PREFIXES):
            continue
        kind = symbol.type.strip_typedefs()
        if symbol.addr_class == gdb.SYMBOL_LOC_CONST and kind.code == gdb.TYPE_CODE_ENUM:
            constant(symbol.name, int(symbol.value()), out)
            if kind.tag in CLOSED:
                largest[kind.tag] = max(largest.get(kind.tag, 0), int(symbol.value()))
        elif kind.tag and kind.code in AGGREGATES and symbol.name == kind.tag:
            out.append(f"{'grows' if kind.tag in ALONE else 'constant'} sizeof {kind.tag} {kind.sizeof}")
            members(kind, kind.tag, 0, out)
    out.extend(f"constant largest {tag} {value}" for tag, value in largest.items())


def macros(out):
    gdb.execute("list abi_listing_end", to_string=True)  # where gdb knows all macros
    for name in open(os.environ["MACROS"]).read().split():
        if not name.startswith(PREFIXES):
            continue
        try:
            value = gdb.parse_and_eval(name)
        except gdb.error:  # no expression
            continue
        kind = value.type.strip_typedefs()
        if kind.code == gdb.TYPE_CODE_ARRAY:
            out.append(f"constant {name} {value.string()!r}")
        elif kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR):
            constant(name, int(value), out)


lines = []
types(lines)
macros(lines)
print("\n".join(lines))
