/* SPDX-License-Identifier: MIT */
/* Starts a C program: thread-local storage, constructors, main, exit.
 *
 * Until the thread pointer is set, nothing here may touch errno or any thread-local variable. */
#include <elf.h>
#include <reent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/main.h"
#include "libc-port/src/thread/thread.h"

typedef void (*array_function)(int argc, char **argv, char **envp);

extern array_function __preinit_array_start[], __preinit_array_end[], __init_array_start[], __init_array_end[];
extern void (*__fini_array_start[])(void), (*__fini_array_end[])(void);
extern int main(int argc, char **argv, char **envp);
extern void program_name_set(char *path);

static void run_constructors(int argc, char **argv, char **envp)
{
	for (array_function *f = __preinit_array_start; f < __preinit_array_end; f++)
		(*f)(argc, argv, envp);
	for (array_function *f = __init_array_start; f < __init_array_end; f++)
		(*f)(argc, argv, envp);
}

static void run_program_destructors(void)
{
	for (void (**f)(void) = __fini_array_end; f > __fini_array_start;)
		(*--f)();
}

_Noreturn void application_start(const struct application_args *args)
{
	tls_set_pointer(tls_create_main(&thread_main));
	__eremite_reent = _GLOBAL_REENT;
	environ = args->envp;
	if (args->argc > 0)
		program_name_set(args->argv[0]);
	strncpy(thread_main.note.name, program_invocation_short_name, sizeof(thread_main.note.name) - 1);
	atexit(run_program_destructors);
	run_constructors(args->argc, args->argv, args->envp);
	application_reached(NULL);
	exit(main(args->argc, args->argv, args->envp));
}
