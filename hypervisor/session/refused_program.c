/* SPDX-License-Identifier: MIT */
/* Reads only the beginning of the file, its program headers and the name of its interpreter. The guest's kernel checks
 * again: what changes in between, or is hidden from the guest, it reports. */
#include "session/refused_program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest/program.h"

#define HEADERS_MAX 64

/* Languages whose sources nobody runs as they are, and those that an interpreter runs. */
static const struct language {
	const char *suffix, *name, *type; /* what to type; %2$s: the path, %1$s: it without the suffix */
	bool is_script;
} languages[] = {
	{".c", "C source", "gcc -g -pthread -o %1$s %2$s", false},
	{".cc", "C++ source", "g++ -g -pthread -o %1$s %2$s", false},
	{".cpp", "C++ source", "g++ -g -pthread -o %1$s %2$s", false},
	{".cxx", "C++ source", "g++ -g -pthread -o %1$s %2$s", false},
	{".rs", "Rust source", "rustc -g -o %1$s %2$s", false},
	{".go", "Go source", "go build -o %1$s %2$s", false},
	{".f90", "Fortran source", "gfortran -g -o %1$s %2$s", false},
	{".java", "Java source", "eremite run java %2$s", true},
	{".py", "a Python script", "eremite run python3 %2$s", true},
	{".sh", "a shell script", "eremite run sh %2$s", true},
	{".bash", "a script of bash", "eremite run bash %2$s", true},
	{".js", "JavaScript", "eremite run node %2$s", true},
	{".pl", "a Perl script", "eremite run perl %2$s", true},
	{".rb", "a Ruby script", "eremite run ruby %2$s", true},
	{".lua", "a Lua script", "eremite run lua %2$s", true},
	{".R", "an R script", "eremite run Rscript %2$s", true},
};

static const struct language *language_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	for (unsigned i = 0; dot && dot > path && i < sizeof(languages) / sizeof(languages[0]); i++)
		if (!strcmp(dot, languages[i].suffix))
			return &languages[i];
	return NULL;
}

const char *refused_program_source(const char *path, char *text, size_t bytes)
{
	const struct language *language = language_of(path);
	char type[600], stem[200];
	if (!language || strlen(path) >= sizeof(stem))
		return NULL;
	snprintf(stem, sizeof(stem), "%.*s", (int)(strlen(path) - strlen(language->suffix)), path);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(type, sizeof(type), language->type, stem, path);
#pragma GCC diagnostic pop
	snprintf(text, bytes, language->is_script ? "is %s; type '%s'" : "is %s: compile it, such as by '%s'",
	         language->name, type);
	return text;
}

static int refuse_file(char *text, size_t bytes, int status, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static int refuse_file(char *text, size_t bytes, int status, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, bytes, fmt, args);
	va_end(args);
	return status;
}

/* Whether a file is missing where the guest would look for it, too. */
static bool is_missing(const char *path)
{
	return access(path, F_OK) && (errno == ENOENT || errno == ENOTDIR);
}

static int check_script(int fd, const char *path, char *text, size_t bytes)
{
	char line[PATH_MAX + 16];
	ssize_t got = pread(fd, line, sizeof(line) - 1, 0);
	line[got > 0 ? got : 0] = 0;
	char *name = line + 2 + strspn(line + 2, " \t");
	name[strcspn(name, " \t\n")] = 0;
	const size_t length = strlen(name);
	if (*name != '/' || !is_missing(name))
		return 0;
	return refuse_file(text, bytes, REFUSED_NOT_FOUND,
	                   "%.200s: its interpreter %.200s, in its first line, is not there%s", path, name,
	                   name[length - 1] == '\r' ? "; the line ends with CR LF: type: sed -i 's/\\r$//' FILE"
	                                            : "; install it, or give the path of another one there");
}

/* Whether the file ends before a part that its headers name. */
static bool is_cut(const Elf64_Phdr *part, uint64_t file)
{
	return (part->p_type == PT_LOAD || part->p_type == PT_INTERP) &&
	       (part->p_offset > file || part->p_filesz > file - part->p_offset);
}

static int check_elf(int fd, const char *path, uint64_t file, char *text, size_t bytes)
{
	Elf64_Ehdr header;
	Elf64_Phdr parts[HEADERS_MAX];
	char name[PATH_MAX];
	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) || header.e_phnum > HEADERS_MAX ||
	    pread(fd, parts, header.e_phnum * sizeof(*parts), (off_t)header.e_phoff) !=
	            (ssize_t)(header.e_phnum * sizeof(*parts)))
		return 0;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		if (is_cut(&parts[i], file))
			return refuse_file(
				text, bytes, REFUSED_NOT_EXECUTABLE,
				"%.200s is cut off: it has %lu bytes, and its headers name at least %lu; copy or "
				"build it again",
				path, file, parts[i].p_offset + parts[i].p_filesz);
		if (parts[i].p_type != PT_INTERP || parts[i].p_filesz < 2 || parts[i].p_filesz > sizeof(name) ||
		    pread(fd, name, parts[i].p_filesz, (off_t)parts[i].p_offset) != (ssize_t)parts[i].p_filesz)
			continue;
		name[parts[i].p_filesz - 1] = 0;
		if (*name == '/' && is_missing(name))
			return refuse_file(
				text, bytes, REFUSED_NOT_FOUND,
				"%.200s needs the dynamic loader %.200s, which is not there; install the C library "
				"that has it, or link the program statically",
				path, name);
	}
	return 0;
}

static int check_regular(int fd, const char *path, const struct stat *st, char *text, size_t bytes)
{
	char source[700], magic[2] = "";
	const enum program_kind kind = program_kind(path);
	const struct language *language = language_of(path);
	const bool has_magic = pread(fd, magic, sizeof(magic), 0) == sizeof(magic),
		   is_script = has_magic && !memcmp(magic, "#!", 2),
		   is_elf = has_magic && !memcmp(magic, ELFMAG, sizeof(magic)), is_executable = st->st_mode & 0111;
	if (kind == PROGRAM_IMAGE)
		return 0;
	if (language && !is_script && !is_elf && (!is_executable || !language->is_script) &&
	    refused_program_source(path, source, sizeof(source)))
		return refuse_file(text, bytes, REFUSED_NOT_EXECUTABLE, "%.200s %.600s", path, source);
	if (kind == PROGRAM_LINUX && !is_executable && language && language->is_script &&
	    refused_program_source(path, source, sizeof(source)))
		return refuse_file(text, bytes, REFUSED_NOT_EXECUTABLE,
		                   "%.200s may not be executed: type 'chmod +x %.200s'; or, since it %.400s", path,
		                   path, source);
	if (kind == PROGRAM_LINUX && !is_executable)
		return refuse_file(text, bytes, REFUSED_NOT_EXECUTABLE,
		                   "%.200s may not be executed: type 'chmod +x %.200s'", path, path);
	if (kind == PROGRAM_LINUX)
		return is_script ? check_script(fd, path, text, bytes)
		       : is_elf  ? check_elf(fd, path, (uint64_t)st->st_size, text, bytes)
		                 : 0;
	if (!is_elf)
		return refuse_file(text, bytes, REFUSED_NOT_EXECUTABLE,
		                   "%.200s: is not an ELF file, nor a script (begin it with #!, or make it executable "
		                   "with 'chmod +x')",
		                   path);
	return 0;
}

int refused_program(const char *path, char *text, size_t bytes)
{
	struct stat st;
	if (!*path)
		return 0; /* image_load refuses it */
	int result = 0, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return refuse_file(text, bytes,
		                   errno == ENOENT || errno == ENOTDIR ? REFUSED_NOT_FOUND : REFUSED_NOT_EXECUTABLE,
		                   "cannot open the program '%.200s': %s", path, strerror(errno));
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		result = check_regular(fd, path, &st, text, bytes);
	else
		result = refuse_file(text, bytes, REFUSED_NOT_EXECUTABLE, "%.200s: is %s; give the path of a program",
		                     path, S_ISDIR(st.st_mode) ? "a directory" : "not a regular file");
	close(fd);
	return result;
}
