/* SPDX-License-Identifier: MIT */
/* Looks up files by path as the program would, so that roots, binds and links have their effect. */
#include "kernel/linux/process/command.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/dev/console.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/linux/process/error_text.h"
#include "kernel/linux/process/execve.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/path.h"

#define SHELL "/bin/sh"
#define TEXT_BYTES 256 /* bytes of a file that are searched for a NUL */

static char path[LINUX_PATH_MAX];
static char message[600];

/* A regular file, or NULL. */
static struct inode *find_file(const char *name)
{
	struct inode *inode;
	return path_find(LINUX_AT_FDCWD, name, PATH_FOLLOW, &inode) || !LINUX_S_ISREG(inode->mode) ? NULL : inode;
}

static bool is_program(const char *name)
{
	struct inode *inode = find_file(name);
	return inode && !inode_permission(inode, LINUX_X_OK);
}

/* The value of PATH, or NULL. */
static const char *search_path(struct strings environment)
{
	for (unsigned i = 0; i < environment.count; i++)
		if (!strncmp(environment.at[i], "PATH=", 5))
			return environment.at[i] + 5;
	return NULL;
}

/* The path of a program, or NULL. An empty directory of PATH is the working directory, which comes first anyway. */
static const char *find_program(const char *name, const char *directories)
{
	if (strchr(name, '/') || is_program(name))
		return name;
	for (const char *at = directories; at && *at;) {
		const char *end = strchr(at, ':');
		size_t length = end ? (size_t)(end - at) : strlen(at), bytes = strlen(name) + 1;
		if (length && length + 1 + bytes <= sizeof(path)) {
			memcpy(path, at, length);
			path[length] = '/';
			memcpy(path + length + 1, name, bytes);
			if (is_program(path))
				return path;
		}
		at += length + (end != NULL);
	}
	return find_file(name) ? name : NULL; /* the file exists but must not be executed */
}

/* Whether shells take a file for a script: its first line, if any, has no NUL. */
static bool is_text(const char *name)
{
	char bytes[TEXT_BYTES];
	struct inode *inode = find_file(name);
	long got = inode ? data_read(inode, bytes, sizeof(bytes), 0) : -1;
	for (long i = 0; i < got && bytes[i] != '\n'; i++)
		if (!bytes[i])
			return false;
	return got >= 0;
}

/* Runs a script without #! as execvp(3) does. */
static int execute_by_shell(const char *script, struct strings arguments, struct strings environment,
                            struct trap_frame *frame)
{
	char **at = kmalloc((arguments.count + 2UL) * sizeof(*at));
	unsigned count = 0;
	if (!at)
		return -ENOMEM;
	at[count++] = (char *)SHELL;
	at[count++] = (char *)script;
	for (unsigned i = 1; i < arguments.count; i++)
		at[count++] = arguments.at[i];
	int error = execve_program(SHELL, (struct strings){at, count}, environment, frame);
	kfree(at);
	return error;
}

static int status_of(int error)
{
	return error == -ENOENT ? COMMAND_NOT_FOUND : COMMAND_NOT_EXECUTABLE;
}

static int say_missing(const char *name, const char *directories)
{
	console_write(
		2, message,
		format(message, sizeof(message),
	               "eremite: there is no program %s in the guest's working directory or its PATH%s%s; give its "
	               "path, or --env PATH=DIRECTORIES\n",
	               name, directories ? ", " : ", which is not set", directories ? directories : ""));
	return COMMAND_NOT_FOUND;
}

int command_execute(const char *name, struct strings arguments, struct strings environment, struct trap_frame *frame)
{
	const char *directories = search_path(environment), *program = find_program(name, directories);
	if (!program)
		return say_missing(name, directories);
	int error = execve_program(program, arguments, environment, frame);
	bool by_shell = error == -ENOEXEC && is_text(program);
	if (by_shell)
		error = execute_by_shell(program, arguments, environment, frame);
	if (error)
		console_write(2, message,
		              format(message, sizeof(message), "eremite: %s cannot be executed: %s%s\n", program,
		                     by_shell ? "it has no #! line, and of " SHELL ", which runs such scripts: " : "",
		                     error_text(error)));
	return error ? status_of(error) : 0;
}
