/* SPDX-License-Identifier: MIT */
#include "cache/cache_path.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "cache/machine.h"

/* f_type of file systems that machines share (statfs(2), and the sources of the file systems). */
static const uint32_t shared[] = {
	0x00006969, /* NFS */
	0xff534d42, /* CIFS */
	0xfe534d42, /* SMB 2 */
	0x0000517b, /* SMB */
	0x00c36400, /* Ceph */
	0x0bd00bd0, /* Lustre */
	0x47504653, /* GPFS */
	0x19830326, /* BeeGFS */
	0x20030528, /* OrangeFS */
	0xaad7aaea, /* PanFS */
	0x013111a8, /* IBRIX */
	0x5346414f, /* AFS */
	0x6b414653, /* the kernel's own AFS */
	0x73757245, /* Coda */
	0x7461636f, /* OCFS2 */
	0x01161970, /* GFS2 */
	0x65735546, /* FUSE: sshfs, GlusterFS, virtiofs and so on */
	0x6a656a63, /* virtiofs's older number */
	0x01021997, /* 9p */
};

/* Whether a path, or the directory in which it would be made, is on a file system that machines share. */
static bool is_shared(const char *path)
{
	char at[PATH_MAX];
	struct statfs fs;
	snprintf(at, sizeof(at), "%s", path);
	while (statfs(at, &fs)) {
		char *slash = strrchr(at, '/');
		if (errno != ENOENT || !slash || slash == at)
			return false;
		*slash = 0;
	}
	for (unsigned i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		if ((uint32_t)fs.f_type == shared[i])
			return true;
	return false;
}

static bool is_path(int length)
{
	return length > 0 && length < PATH_MAX;
}

static bool find_usual(struct cache_path *place)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	place->is_temporary = false;
	if (base && *base == '/')
		return is_path(snprintf(place->path, PATH_MAX, "%s/eremite", base));
	if (!home || *home != '/' || access(home, W_OK))
		return false;
	return is_path(snprintf(place->path, PATH_MAX, "%s/.cache/eremite", home));
}

/* Finds a place in the directory of temporary files that a variable names. */
static bool find_temporary(const char *variable, struct cache_path *place)
{
	const char *base = getenv(variable);
	place->is_temporary = true;
	return base && *base == '/' && !is_shared(base) &&
	       is_path(snprintf(place->path, PATH_MAX, "%s/eremite-%u", base, (unsigned)geteuid()));
}

static bool find_slurm_tmpdir(struct cache_path *place)
{
	return find_temporary("SLURM_TMPDIR", place);
}

static bool find_tmpdir(struct cache_path *place)
{
	return find_temporary("TMPDIR", place);
}

/* Finds this machine's folder in the usual place. */
static bool find_node(struct cache_path *place)
{
	if (!find_usual(place))
		return false;
	const size_t used = strlen(place->path);
	return is_path((int)used + snprintf(place->path + used, PATH_MAX - used, "/node-%016lx", machine_number()));
}

typedef bool (*find_function)(struct cache_path *place);
#define FINDS 3

/* Chooses the order of places. In a job of Slurm the directory of temporary files is the job's own, or at least the
 * node's. */
static const find_function *choose_order(void)
{
	static const find_function of_one[FINDS] = {find_usual, find_slurm_tmpdir, find_tmpdir},
				   of_job[FINDS] = {find_slurm_tmpdir, find_tmpdir, find_usual},
				   of_many[FINDS] = {find_slurm_tmpdir, find_tmpdir, find_node};
	struct cache_path usual;
	if (find_usual(&usual) && is_shared(usual.path))
		return of_many;
	return getenv("SLURM_JOB_ID") && !getenv("XDG_CACHE_HOME") ? of_job : of_one;
}

bool cache_path_find(const char *given, unsigned nth, struct cache_path *place)
{
	const char *own = given ? given : getenv("EREMITE_CACHE");
	place->is_temporary = false;
	if (own)
		return nth == 0 && is_path(snprintf(place->path, PATH_MAX, "%s", own));
	const find_function *order = choose_order();
	for (unsigned i = 0; i < FINDS; i++)
		if (order[i](place) && nth-- == 0)
			return true;
	return false;
}
