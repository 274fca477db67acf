/* SPDX-License-Identifier: MIT */
/* Users and groups from /etc/passwd and /etc/group. Without these files, only root exists. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 1024
#define MEMBERS_MAX 64

static const char root_user[] = "root:x:0:0:root:/root:/bin/sh\n";
static const char root_group[] = "root:x:0:\n";

/* Opens a database file, or a built-in line in its place. */
static FILE *open_database(const char *path, const char *builtin)
{
	FILE *file = fopen(path, "re");
	return file ? file : fmemopen((void *)(uintptr_t)builtin, strlen(builtin), "r");
}

/* Splits line in place into exactly count fields. Returns 0 or -1. */
static int split_fields(char *line, char **fields, int count)
{
	line[strcspn(line, "\n")] = 0;
	for (int i = 0; i < count; i++) {
		fields[i] = strsep(&line, ":");
		if (!fields[i])
			return -1;
	}
	return line ? -1 : 0;
}

static int parse_user(char *line, struct passwd *user)
{
	char *field[7];
	if (split_fields(line, field, 7) < 0)
		return -1;
	*user = (struct passwd){
		.pw_name = field[0],
		.pw_passwd = field[1],
		.pw_uid = (uid_t)strtoul(field[2], NULL, 10),
		.pw_gid = (gid_t)strtoul(field[3], NULL, 10),
		.pw_comment = field[4],
		.pw_gecos = field[4],
		.pw_dir = field[5],
		.pw_shell = field[6],
	};
	return 0;
}

static int parse_group(char *line, struct group *group, char **members)
{
	char *field[4];
	int count = 0;
	if (split_fields(line, field, 4) < 0)
		return -1;
	for (char *name; count < MEMBERS_MAX && (name = strsep(&field[3], ",")) != NULL;)
		if (*name)
			members[count++] = name;
	members[count] = NULL;
	*group = (struct group){
		.gr_name = field[0],
		.gr_passwd = field[1],
		.gr_gid = (gid_t)strtoul(field[2], NULL, 10),
		.gr_mem = members,
	};
	return 0;
}

/* Reads the next well-formed user of a file. Returns 0 at its end, or -1 if the buffer is too small for a line. */
static int next_user(FILE *file, struct passwd *user, char *buf, size_t size)
{
	while (fgets(buf, (int)size, file)) {
		if (!strchr(buf, '\n') && !feof(file))
			return -1;
		if (parse_user(buf, user) == 0)
			return 1;
	}
	return 0;
}

static int next_group(FILE *file, struct group *group, char *buf, size_t size)
{
	size_t reserved = (MEMBERS_MAX + 1) * sizeof(char *) + sizeof(char *);
	if (size <= reserved)
		return -1;
	char **members = (char **)(((uintptr_t)buf + sizeof(char *) - 1) & ~(sizeof(char *) - 1));
	while (fgets(buf + reserved, (int)(size - reserved), file)) {
		if (!strchr(buf + reserved, '\n') && !feof(file))
			return -1;
		if (parse_group(buf + reserved, group, members) == 0)
			return 1;
	}
	return 0;
}

/* Finds a user by name, or by number if name is null. Returns 0, also without a result, or an error number. */
static int find_user(const char *name, uid_t uid, struct passwd *user, char *buf, size_t size, struct passwd **result)
{
	*result = NULL;
	FILE *file = open_database("/etc/passwd", root_user);
	if (!file)
		return errno;
	int got;
	while ((got = next_user(file, user, buf, size)) > 0) {
		if (name ? strcmp(user->pw_name, name) == 0 : user->pw_uid == uid) {
			*result = user;
			break;
		}
	}
	fclose(file);
	return got < 0 ? ERANGE : 0;
}

static int find_group(const char *name, gid_t gid, struct group *group, char *buf, size_t size, struct group **result)
{
	*result = NULL;
	FILE *file = open_database("/etc/group", root_group);
	if (!file)
		return errno;
	int got;
	while ((got = next_group(file, group, buf, size)) > 0) {
		if (name ? strcmp(group->gr_name, name) == 0 : group->gr_gid == gid) {
			*result = group;
			break;
		}
	}
	fclose(file);
	return got < 0 ? ERANGE : 0;
}

int getpwnam_r(const char *name, struct passwd *user, char *buf, size_t size, struct passwd **result)
{
	return find_user(name, 0, user, buf, size, result);
}

int getpwuid_r(uid_t uid, struct passwd *user, char *buf, size_t size, struct passwd **result)
{
	return find_user(NULL, uid, user, buf, size, result);
}

int getgrnam_r(const char *name, struct group *group, char *buf, size_t size, struct group **result)
{
	return find_group(name, 0, group, buf, size, result);
}

int getgrgid_r(gid_t gid, struct group *group, char *buf, size_t size, struct group **result)
{
	return find_group(NULL, gid, group, buf, size, result);
}

/* Results of the functions without _r. The next call overwrites them. */
static struct passwd last_user;
static struct group last_group;
static char user_line[LINE_BYTES], group_line[4 * LINE_BYTES];
static FILE *user_file, *group_file;

struct passwd *getpwnam(const char *name)
{
	struct passwd *result;
	int error = getpwnam_r(name, &last_user, user_line, sizeof(user_line), &result);
	if (error)
		errno = error;
	return result;
}

struct passwd *getpwuid(uid_t uid)
{
	struct passwd *result;
	int error = getpwuid_r(uid, &last_user, user_line, sizeof(user_line), &result);
	if (error)
		errno = error;
	return result;
}

struct group *getgrnam(const char *name)
{
	struct group *result;
	int error = getgrnam_r(name, &last_group, group_line, sizeof(group_line), &result);
	if (error)
		errno = error;
	return result;
}

struct group *getgrgid(gid_t gid)
{
	struct group *result;
	int error = getgrgid_r(gid, &last_group, group_line, sizeof(group_line), &result);
	if (error)
		errno = error;
	return result;
}

static void end_entries(FILE **file)
{
	if (*file)
		fclose(*file);
	*file = NULL;
}

void setpwent(void)
{
	end_entries(&user_file);
}

void endpwent(void)
{
	end_entries(&user_file);
}

struct passwd *getpwent(void)
{
	if (!user_file)
		user_file = open_database("/etc/passwd", root_user);
	if (!user_file || next_user(user_file, &last_user, user_line, sizeof(user_line)) <= 0)
		return NULL;
	return &last_user;
}

void setgrent(void)
{
	end_entries(&group_file);
}

void endgrent(void)
{
	end_entries(&group_file);
}

struct group *getgrent(void)
{
	if (!group_file)
		group_file = open_database("/etc/group", root_group);
	if (!group_file || next_group(group_file, &last_group, group_line, sizeof(group_line)) <= 0)
		return NULL;
	return &last_group;
}

int getgrouplist(const char *name, gid_t group, gid_t *groups, int *count);

int getgrouplist(const char *name, gid_t group, gid_t *groups, int *count)
{
	int room = *count, found = 1;
	struct group entry;
	char line[sizeof(group_line)];
	FILE *file = open_database("/etc/group", root_group);
	if (room > 0)
		groups[0] = group;
	while (file && next_group(file, &entry, line, sizeof(line)) > 0) {
		for (char **member = entry.gr_mem; *member; member++) {
			if (strcmp(*member, name) != 0 || entry.gr_gid == group)
				continue;
			if (found < room)
				groups[found] = entry.gr_gid;
			found++;
			break;
		}
	}
	end_entries(&file);
	*count = found;
	return found <= room ? found : -1;
}

int getlogin_r(char *name, size_t size)
{
	struct passwd user, *result;
	char line[LINE_BYTES];
	int error = getpwuid_r(getuid(), &user, line, sizeof(line), &result);
	if (error || !result)
		return error ? error : ENOENT;
	if (strlen(user.pw_name) >= size)
		return ERANGE;
	strcpy(name, user.pw_name);
	return 0;
}

char *getlogin(void)
{
	static char name[64];
	int error = getlogin_r(name, sizeof(name));
	if (error)
		errno = error;
	return error ? NULL : name;
}
