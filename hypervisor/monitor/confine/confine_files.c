/* SPDX-License-Identifier: MIT */
/* Rights and versions are those of linux/landlock.h; older headers have fewer. Landlock does not restrict rights that
 * are not handled. So all rights that the kernel knows are handled, except reading and executing if the role needs all
 * files. */
#include "confine/confine_files.h"

#include <errno.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CREATE_RULESET 444 /* system calls; the same on all architectures */
#define ADD_RULE 445
#define RESTRICT_SELF 446

#define CREATE_VERSION 1 /* a flag of CREATE_RULESET: ask for the version */
#define RULE_PATH_BENEATH 1

#define FS_EXECUTE 0x1UL
#define FS_WRITE_FILE 0x2UL
#define FS_READ_FILE 0x4UL
#define FS_READ_DIR 0x8UL
#define FS_REMOVE_DIR 0x10UL
#define FS_REMOVE_FILE 0x20UL
#define FS_MAKE_DIR 0x80UL
#define FS_MAKE_REG 0x100UL
#define FS_MAKE_SYM 0x1000UL
#define FS_REFER 0x2000UL
#define FS_TRUNCATE 0x4000UL

/* Rights that each version handles. Version 1 always refuses REFER, which version 2 handles. */
static const uint64_t fs_rights[] = {0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff};
#define NET_BIND 0x1UL /* version 4: of TCP */
#define NET_CONNECT 0x2UL

/* Version 6: abstract Unix sockets, and signals to processes outside of the scope. The process engine's guests start
 * before it and are outside, so the filter of system calls limits kill(2) in its place. */
#define SCOPE_SOCKETS 0x1UL
#define SCOPE_SIGNALS 0x2UL

#define OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE) /* other rights are of directories */

struct ruleset {
	uint64_t fs, net, scopes;
};

struct rule {
	uint64_t rights;
	int32_t fd;
} __attribute__((packed));

static const uint64_t reach_rights[] = {
	[CONFINE_TO_READ] = FS_READ_FILE | FS_READ_DIR,
	[CONFINE_TO_WRITE] = FS_WRITE_FILE | FS_TRUNCATE,
	[CONFINE_TO_SAVE] = FS_WRITE_FILE | FS_TRUNCATE | FS_MAKE_REG | FS_REMOVE_FILE,
	[CONFINE_TO_FILL] =
		FS_READ_DIR | FS_WRITE_FILE | FS_TRUNCATE | FS_MAKE_REG | FS_MAKE_DIR | FS_MAKE_SYM | FS_REMOVE_FILE,
	[CONFINE_TO_ALTER] = FS_READ_DIR | FS_WRITE_FILE | FS_TRUNCATE | FS_MAKE_REG | FS_MAKE_DIR | FS_MAKE_SYM |
                             FS_REMOVE_FILE | FS_REMOVE_DIR | FS_REFER,
};

int confine_files_version(void)
{
	long version = syscall(CREATE_RULESET, NULL, 0, CREATE_VERSION);
	return version < 0 ? 0 : (int)version;
}

static uint64_t handled(const struct confine_plan *plan, int version)
{
	const int last = sizeof(fs_rights) / sizeof(fs_rights[0]) - 1;
	uint64_t rights = fs_rights[version < last ? version : last];
	if (plan->role == CONFINE_KEEPER) /* the keeper starts a program with its libraries */
		rights &= ~(FS_EXECUTE | FS_READ_FILE | FS_READ_DIR);
	return rights;
}

static int add_rules(int ruleset, const struct confine_plan *plan, uint64_t rights)
{
	for (unsigned i = 0; i < plan->place_count; i++) {
		struct stat st;
		struct rule rule = {reach_rights[plan->places[i].reach] & rights, plan->places[i].fd};
		if (fstat(rule.fd, &st))
			return -errno;
		if (!S_ISDIR(st.st_mode))
			rule.rights &= OF_FILES;
		/* EBADFD: a file in memory (memfd_create(2)), which no path leads to, needs no rule. */
		if (rule.rights && syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) && errno != EBADFD)
			return -errno;
	}
	return 0;
}

int confine_files(const struct confine_plan *plan)
{
	int version = confine_files_version();
	if (!version)
		return 0;
	const struct ruleset all = {
		.fs = handled(plan, version),
		.net = version < 4 ? 0 : NET_BIND | (plan->needs & CONFINE_NET_OUT ? 0 : NET_CONNECT),
		.scopes = version < 6 ? 0 : SCOPE_SOCKETS | (plan->group_count ? 0 : SCOPE_SIGNALS),
	};
	size_t bytes = version >= 6   ? sizeof(all)
	               : version >= 4 ? offsetof(struct ruleset, scopes)
	                              : offsetof(struct ruleset, net);
	int ruleset = (int)syscall(CREATE_RULESET, &all, bytes, 0);
	if (ruleset < 0)
		return -errno;
	int result = add_rules(ruleset, plan, all.fs);
	if (!result && syscall(RESTRICT_SELF, ruleset, 0))
		result = -errno;
	close(ruleset);
	return result;
}
