/* SPDX-License-Identifier: MIT */
/* Users are found as container runtimes do (github.com/moby/sys/user, GetExecUser): a number is a number, also if a
 * name looks like it; the first line that fits counts. Numbers in the files that are invalid or too large are refused
 * where they would be used: docker takes some of them as 0, which is root. */
#include "oci/oci_start.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/boot.h"
#include "base/error.h"

#define ACCOUNTS_BYTES_MAX (16L << 20) /* of /etc/passwd and /etc/group; large ones have 100 KB */
#define NUMBER_MAX 2147483647UL        /* of users and groups, as in docker */
#define NUMBER_BYTES 11                /* of the text of one, with a comma */

enum { PASSWD_FIELDS = 7, GROUP_FIELDS = 4 };
enum { NAME = 0, USER = 2, PASSWD_GROUP = 3, HOME = 5, GROUP = 2, MEMBERS = 3 };

/* A user while it is found. */
struct account {
	struct oci_tree *tree;
	const char *given; /* the image's text */
	char name[256];    /* of its line in /etc/passwd; empty: it has none */
	uint32_t user, group;
	uint32_t groups[BOOT_GROUPS_MAX];
	unsigned group_count;
};

/* --- the files --- */

/* Reads a file of the tree, whose links stay inside; a missing one is empty. Returns a text to free, or NULL. */
static char *read_accounts(struct oci_tree *tree, const char *path)
{
	const struct open_how how = {
		.flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	struct stat stat;
	int fd = (int)syscall(SYS_openat2, tree->dir, path, &how, sizeof(how));
	const bool is_there = fd >= 0 && !fstat(fd, &stat) && S_ISREG(stat.st_mode);
	const long size = is_there ? (long)stat.st_size : 0;
	char *text = size <= ACCOUNTS_BYTES_MAX ? malloc((size_t)size + 1) : NULL;
	ssize_t bytes = text && size ? pread(fd, text, (size_t)size, 0) : 0;
	if (text)
		text[bytes < 0 ? 0 : bytes] = 0;
	for (ssize_t i = 0; text && i < bytes; i++)
		text[i] = text[i] ? text[i] : '?'; /* a zero byte ends no line */
	if (!text)
		error_set(tree->error, EFBIG, "its /%s is too large", path);
	if (fd >= 0)
		close(fd);
	return text;
}

/* Splits the next line that is not empty into fields, of which missing ones are "". Returns false at the end. */
static bool next_account(char **text, char *fields[], unsigned count)
{
	char *line;
	do
		line = strsep(text, "\n");
	while (line && !line[strspn(line, " \t\r")]);
	if (!line)
		return false;
	for (unsigned i = 0; i < count; i++) {
		char *field = strsep(&line, ":");
		fields[i] = field ? field : (char *)"";
	}
	return true;
}

/* Whether a text is a number, which is then stored. */
static bool is_number(const char *text, uint32_t *number)
{
	if (!*text || text[strspn(text, "0123456789")])
		return false;
	errno = 0;
	const unsigned long value = strtoul(text, NULL, 10);
	*number = errno || value > NUMBER_MAX ? UINT32_MAX : (uint32_t)value;
	return true;
}

/* Whether a text is a valid number of a user or group. */
static bool is_account_number(const char *text, uint32_t *number)
{
	return is_number(text, number) && *number != UINT32_MAX;
}

static bool has_number(const char *text, uint32_t number)
{
	uint32_t has;
	return is_account_number(text, &has) && has == number;
}

/* --- the user --- */

static int too_large(const struct account *account)
{
	return error_set(account->tree->error, EINVAL, "its user is %.100s, whose number is too large", account->given);
}

static int find_user(struct account *account, const char *wanted)
{
	char *fields[PASSWD_FIELDS], *text = read_accounts(account->tree, "etc/passwd"), *at = text;
	const bool is_numeric = is_number(wanted, &account->user);
	bool found = false;
	if (!text)
		return -EFBIG;
	while (!found && next_account(&at, fields, PASSWD_FIELDS))
		found = is_numeric ? has_number(fields[USER], account->user) : !strcmp(fields[NAME], wanted);
	bool is_sound = true;
	if (found) {
		snprintf(account->name, sizeof(account->name), "%s", fields[NAME]);
		is_sound = is_account_number(fields[USER], &account->user) &&
		           is_account_number(fields[PASSWD_GROUP], &account->group);
	}
	free(text);
	if (!is_sound)
		return error_set(account->tree->error, EINVAL,
		                 "its user is %.100s, whose numbers in its /etc/passwd are not valid", account->given);
	if (found)
		return 0;
	if (!is_numeric)
		return error_set(account->tree->error, EINVAL,
		                 "its user is %.100s, which its /etc/passwd does not have", account->given);
	return account->user == UINT32_MAX ? too_large(account) : 0;
}

/* Whether a list of names with commas has the name. */
static bool has_member(char *list, const char *name)
{
	char *member;
	while ((member = strsep(&list, ",")))
		if (!strcmp(member, name))
			return true;
	return false;
}

static int add_account_group(struct account *account, uint32_t group)
{
	for (unsigned i = 0; i < account->group_count; i++)
		if (account->groups[i] == group)
			return 0;
	if (account->group_count == BOOT_GROUPS_MAX)
		return error_set(account->tree->error, E2BIG, "its user is in more than %u groups", BOOT_GROUPS_MAX);
	account->groups[account->group_count++] = group;
	return 0;
}

/* A group that is given replaces the one of the user and all others. */
static int find_groups(struct account *account, const char *wanted)
{
	char *fields[GROUP_FIELDS], *text = read_accounts(account->tree, "etc/group"), *at = text;
	const bool is_given = *wanted, is_numeric = is_number(wanted, &account->group);
	bool found = is_numeric;
	int result = 0;
	if (!text)
		return -EFBIG;
	while (!result && next_account(&at, fields, GROUP_FIELDS)) {
		uint32_t group;
		if (is_given ? found || strcmp(fields[NAME], wanted)
		             : !account->name[0] || !has_member(fields[MEMBERS], account->name))
			continue;
		if (!is_account_number(fields[GROUP], &group)) {
			result = error_set(account->tree->error, EINVAL,
			                   "its /etc/group has no valid number for the group %.100s", fields[NAME]);
		} else if (!is_given) {
			result = add_account_group(account, group);
		} else {
			account->group = group;
			found = true;
		}
	}
	free(text);
	if (!result && is_given && !found)
		result = error_set(account->tree->error, EINVAL,
		                   "its user is %.100s, whose group its /etc/group does not have", account->given);
	return !result && account->group == UINT32_MAX ? too_large(account) : result;
}

/* The home of the first line with the user's number, as runc takes it. */
static int find_home(const struct account *account, char **home)
{
	char *fields[PASSWD_FIELDS], *text = read_accounts(account->tree, "etc/passwd"), *at = text;
	const char *found = NULL;
	if (!text)
		return -EFBIG;
	while (!found && next_account(&at, fields, PASSWD_FIELDS))
		if (has_number(fields[USER], account->user))
			found = fields[HOME];
	*home = strdup(found && *found ? found : "/");
	free(text);
	return *home ? 0 : error_set(account->tree->error, ENOMEM, "there is not enough memory");
}

/* Finds the user, "USER[:GROUP]", each a name or a number. */
static int find_account(struct account *account, struct oci_config *config)
{
	char text[512], *wanted = text, *user;
	if ((size_t)snprintf(text, sizeof(text), "%s", config->user) >= sizeof(text))
		return error_set(account->tree->error, EINVAL, "its user has a name that is too long");
	user = strsep(&wanted, ":");
	int result = find_user(account, *user ? user : "0");
	if (!result)
		result = find_groups(account, wanted ? wanted : "");
	if (!result)
		result = add_account_group(account, account->group); /* docker has it among the others since 20.10.18 */
	return result ? result : find_home(account, &config->home);
}

static int describe_user(const struct account *account, struct oci_config *config)
{
	char text[(BOOT_GROUPS_MAX + 2) * NUMBER_BYTES + 1];
	size_t at = (size_t)sprintf(text, "%u:%u", account->user, account->group);
	for (unsigned i = 0; i < account->group_count; i++)
		at += (size_t)sprintf(text + at, ",%u", account->groups[i]);
	config->credentials = strdup(text);
	return config->credentials ? 0 : error_set(account->tree->error, ENOMEM, "there is not enough memory");
}

/* --- directories --- */

/* Resolves empty, . and .. names of an absolute path in place, without regard to links. */
static void tidy(char *path)
{
	char *to = path, *from = path;
	while (*from) {
		const size_t length = strcspn(from + 1, "/");
		if (length == 2 && !strncmp(from, "/..", 3)) {
			while (to > path && *--to != '/')
				;
		} else if (length && !(length == 1 && from[1] == '.')) {
			memmove(to, from, length + 1);
			to += length + 1;
		}
		from += length + 1;
	}
	if (to == path)
		*to++ = '/';
	*to = 0;
}

/* Makes a directory, and those on the way to it, if it is missing. */
static int make_start_directory(struct oci_tree *tree, char *path, const char *what)
{
	if (path[0] != '/' || strlen(path) >= PATH_MAX)
		return error_set(tree->error, EINVAL,
		                 "%s in its configuration is %.100s, which is not an absolute path", what, path);
	tidy(path);
	int result = oci_tree_enter(tree, path + 1, true);
	if (!result)
		return 0;
	const struct error line = *tree->error;
	return error_set(tree->error, -result, "%s in its configuration is %.60s: %.150s", what, path, line.text);
}

int oci_start(struct oci_tree *tree, struct oci_config *config)
{
	struct account *account = calloc(1, sizeof(*account));
	if (!account)
		return error_set(tree->error, ENOMEM, "there is not enough memory");
	*account = (struct account){.tree = tree, .given = config->user};
	int result = find_account(account, config);
	if (!result)
		result = describe_user(account, config);
	free(account);
	if (!result && config->workdir[0])
		result = make_start_directory(tree, config->workdir, "WorkingDir");
	for (unsigned i = 0; i < config->volume_count && !result; i++)
		result = make_start_directory(tree, config->volumes[i], "a volume");
	return result;
}
