/* SPDX-License-Identifier: MIT */
/* Starts a program of a bundle (make bundle) by the bundle's own loader, with the bundle's own libraries, wherever the
 * bundle is. A copy of this is in bin/ or libexec/eremite/ of the bundle under the program's name; the program itself
 * is in lib/eremite/bundle/. There is no C library, because the confined keeper, which starts the symbolizer, may make
 * few system calls. */
#include <elf.h>
#include <errno.h>
#include <linux/limits.h>
#include <stddef.h>
#include <sys/syscall.h>

#define LOADER "ld-linux-x86-64.so.2"
#define LOADER_WORDS 4 /* the loader, --inhibit-cache, --library-path and its value */
#define EXIT_ERROR 125

void launch(long *stack) __attribute__((used));

__asm__(".globl _start\n"
        "_start:\n"
        "	mov %rsp, %rdi\n"
        "	and $-16, %rsp\n"
        "	call launch\n");

static long call(long number, long first, const void *second, const void *third)
{
	long result;
	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(number), "D"(first), "S"(second), "d"(third)
	                 : "rcx", "r11", "memory");
	return result;
}

static size_t length_of(const char *text)
{
	size_t length = 0;
	while (text[length])
		length++;
	return length;
}

static void say(const char *text)
{
	call(SYS_write, 2, text, (const void *)length_of(text));
}

_Noreturn static void leave(const char *what, const char *advice)
{
	say("eremite: ");
	say(what);
	say(advice);
	for (;;)
		call(SYS_exit_group, EXIT_ERROR, NULL, NULL);
}

/* Writes two texts one behind the other. */
static void join(char to[PATH_MAX], const char *first, const char *second)
{
	size_t used = 0;
	for (unsigned i = 0; i < 2; i++)
		for (const char *from = i ? second : first; *from; from++) {
			if (used == PATH_MAX - 1)
				leave("the path of the bundle is too long", "; move it to a shorter one\n");
			to[used++] = *from;
		}
	to[used] = 0;
}

/* Writes the path of this file, also where /proc is not mounted. */
static void find_self(char self[PATH_MAX], const Elf64_auxv_t *aux)
{
	long bytes = call(SYS_readlink, (long)"/proc/self/exe", self, (const void *)(PATH_MAX - 1));
	if (bytes > 0) {
		self[bytes] = 0;
		return;
	}
	while (aux->a_type != AT_NULL && aux->a_type != AT_EXECFN)
		aux++;
	if (aux->a_type == AT_NULL)
		leave("cannot find the bundle", "; mount /proc\n");
	join(self, (const char *)aux->a_un.a_val, "");
}

void launch(long *stack)
{
	static const char *const places[] = {"../lib/eremite/bundle", "../../lib/eremite/bundle"};
	static char self[PATH_MAX], folder[PATH_MAX], loader[PATH_MAX], program[PATH_MAX];
	const long count = stack[0];
	char **arguments = (char **)(stack + 1), **environment = arguments + count + 1, **end = environment;
	const char *words[LOADER_WORDS + count + 1];
	while (*end)
		end++;
	find_self(self, (const Elf64_auxv_t *)(end + 1));
	char *name = self + length_of(self);
	while (name > self && name[-1] != '/')
		name--;
	long result = -ENOENT;
	for (unsigned i = 0; result == -ENOENT && i < sizeof(places) / sizeof(places[0]); i++) {
		char leaf[NAME_MAX + 2] = "/";
		for (unsigned k = 0; k < NAME_MAX && name[k]; k++)
			leaf[k + 1] = name[k];
		const char kept = *name;
		*name = 0;
		join(folder, self, places[i]);
		*name = kept;
		join(loader, folder, "/" LOADER);
		join(program, folder, leaf);
		words[0] = loader;
		words[1] = "--inhibit-cache";
		words[2] = "--library-path";
		words[3] =
			"$ORIGIN"; /* `folder`, where the loader is, whatever its name: of a given path, it would take
		                    * ':' for a separator and '$LIB' for a variable */
		words[LOADER_WORDS] = program;
		for (long k = 1; k <= count; k++) /* with the NULL at the end */
			words[LOADER_WORDS + k] = arguments[k];
		result = call(SYS_execve, (long)loader, words, environment);
	}
	if (result == -ENOENT)
		leave("the bundle is not whole", "; unpack it again\n");
	leave("cannot start the bundle's loader",
	      result == -EACCES ? ": its file system forbids programs; mount it without noexec\n" : "\n");
}
