/* SPDX-License-Identifier: MIT */
/* Looks at the name in the file, and not at that of the file: so the answer depends on the content alone, as all that
 * is found in code does. */
#include "code/code_runtime.h"

#include <string.h>

#include "base/error.h"
#include "guest/elf_file.h"

/* Whether a file calls itself, by its DT_SONAME, a library of a language's runtime, or the dynamic loader. */
static bool is_runtime(const struct elf_file *elf)
{
	/* glibc's, musl's, those of GCC and of LLVM; without what follows ".so" */
	static const char *const names[] = {
		"ld-linux-x86-64", "libc",
		"libpthread",      "libm",
		"libmvec",         "libdl",
		"librt",           "libresolv",
		"libanl",          "libnsl",
		"libutil",         "libBrokenLocale",
		"ld-musl-x86_64",  "libc.musl-x86_64",
		"libgcc_s",        "libstdc++",
		"libatomic",       "libgomp",
		"libgfortran",     "libquadmath",
		"libc++",          "libc++abi",
		"libunwind",       "libomp",
	};
	const char *soname = elf_file_soname(elf);
	const char *ending = soname ? strstr(soname, ".so") : NULL;
	if (!ending)
		return false;
	const size_t length = (size_t)(ending - soname);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == length && !memcmp(names[i], soname, length))
			return true;
	return !strncmp(soname, "libnss_", 7);
}

struct code_points code_runtime_points(const uint8_t *file, uint64_t bytes, const struct code_points *points)
{
	struct code_points wanted = *points;
	struct elf_file elf;
	struct error error;
	if (points->own && !elf_file_open(&elf, file, bytes, &error) && is_runtime(&elf))
		wanted = (struct code_points){.atomics = points->atomics, .ticks = points->ticks};
	return wanted;
}
