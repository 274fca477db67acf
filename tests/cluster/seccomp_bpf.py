# SPDX-License-Identifier: MIT
"""Writes the filter that a profile of seccomp makes for a container without capabilities, as BPF for bwrap --seccomp, to standard
output: seccomp_bpf.py PROFILE.json. The profile is of the form of Docker, Podman and Kubernetes; libseccomp compiles it."""
import ctypes
import json
import os
import sys

ACTIONS = {"SCMP_ACT_ALLOW": 0x7FFF0000, "SCMP_ACT_ERRNO": 0x00050000}
COMPARISONS = {"SCMP_CMP_NE": 1, "SCMP_CMP_LT": 2, "SCMP_CMP_LE": 3, "SCMP_CMP_EQ": 4, "SCMP_CMP_GE": 5, "SCMP_CMP_GT": 6, "SCMP_CMP_MASKED_EQ": 7}
EPERM = 1


class Comparison(ctypes.Structure):
    _fields_ = [("index", ctypes.c_uint), ("op", ctypes.c_int), ("value", ctypes.c_uint64), ("value_two", ctypes.c_uint64)]


def action(name, errno):
    return ACTIONS[name] | (errno if name == "SCMP_ACT_ERRNO" else 0)


def applies(rule):
    """Whether a rule is for this architecture, and for a container without capabilities."""
    needs, spared = rule.get("includes") or {}, rule.get("excludes") or {}
    return not needs.get("caps") and "amd64" in needs.get("arches", ["amd64"]) and "amd64" not in spared.get("arches", [])


def main():
    profile = json.load(open(sys.argv[1]))
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_rule_add_array.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(Comparison)]
    library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    default = action(profile["defaultAction"], profile.get("defaultErrnoRet", EPERM))
    filter_ = library.seccomp_init(default)
    assert filter_
    for rule in profile["syscalls"]:
        what = action(rule["action"], rule.get("errnoRet", EPERM))
        if what == default or not applies(rule):
            continue
        arguments = [Comparison(a["index"], COMPARISONS[a["op"]], a["value"], a.get("valueTwo", 0)) for a in rule.get("args") or []]
        for name in rule["names"]:
            number = library.seccomp_syscall_resolve_name(name.encode())
            if number < 0:
                continue  # this architecture does not have it
            error = library.seccomp_rule_add_array(filter_, what, number, len(arguments), (Comparison * len(arguments))(*arguments))
            assert not error, f"{name}: {os.strerror(-error)}"
    error = library.seccomp_export_bpf(filter_, sys.stdout.fileno())
    assert not error, os.strerror(-error)


main()
