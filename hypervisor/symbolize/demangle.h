/* SPDX-License-Identifier: MIT */
/* Names of functions and variables as their programmers wrote them: C++ (Itanium ABI), Rust (both manglings). */
#ifndef HYPERVISOR_SYMBOLIZE_DEMANGLE_H
#define HYPERVISOR_SYMBOLIZE_DEMANGLE_H

/** Returns the name behind a symbol, at most DEMANGLE_MAX bytes of it, or the symbol itself. It stays valid until the
 * next call. */
const char *demangle(const char *symbol);

#define DEMANGLE_MAX 600 /* bytes of a name that are shown: names of templates may have many thousands */

#endif
