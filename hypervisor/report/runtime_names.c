/* SPDX-License-Identifier: MIT */
/* The sanitizers are those of gcc and clang, but not ThreadSanitizer's, whose calls say what the program does. */
#include "report/runtime_names.h"

#include <string.h>

static bool begins_with(const char *text, size_t length, const char *beginning)
{
	return length >= strlen(beginning) && !memcmp(text, beginning, strlen(beginning));
}

bool runtime_names_is_sanitizer_file(const char *path, size_t length)
{
	static const char *const names[] = {"libasan.so",          "libhwasan.so",         "liblsan.so",
	                                    "libubsan.so",         "libclang_rt.asan",     "libmsan.so",
	                                    "libclang_rt.hwasan-", "libclang_rt.ubsan_sta"};
	const char *slash = memrchr(path, '/', length);
	const char *leaf = slash ? slash + 1 : path;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (begins_with(leaf, (size_t)(path + length - leaf), names[i]))
			return true;
	return false;
}

bool runtime_names_is_sanitizer(const char *name, size_t length)
{
	/* Their C functions, their namespaces as symbols and as shown, and what they put before functions of libc. */
	static const char *const names[] = {
		"__asan_",          "__hwasan_",          "__lsan_",       "__msan_",        "__ubsan_",
		"__sanitizer_",     "_ZN6__asan",         "_ZN8__hwasan",  "_ZN6__lsan",     "_ZN6__msan",
		"_ZN7__ubsan",      "_ZN11__sanitizer",   "__asan::",      "__hwasan::",     "__lsan::",
		"__msan::",         "__ubsan::",          "__sanitizer::", "__interceptor_", "___interceptor_",
		"__interception::", "_ZN14__interception"};
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (begins_with(name, length, names[i]))
			return true;
	return false;
}

/* Packages that implement the language; names without a package are assembler of the runtime. */
bool runtime_names_is_go(const char *name, size_t length)
{
	static const char *const prefixes[] = {"runtime.", "runtime/", "internal/", "syscall.",
	                                       "type..",   "go.",      "reflect."};
	for (unsigned i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (length >= strlen(prefixes[i]) && !strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return !memchr(name, '.', length);
}
