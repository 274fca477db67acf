/* SPDX-License-Identifier: MIT */
#include "cache/volume.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "cache/machine.h"

#define MOUNT_ID_UNIQUE 0x4000U /* STATX_MNT_ID_UNIQUE */
#define OVERLAYFS 0x794c7630L
#define KNOWN_MAX 16

/* f_type of file systems (statfs(2)) whose times do not tell. */
static const uint32_t doubtful[] = {
	0x01021994, /* tmpfs: nothing is written back, so that stores leave the times as they are */
	0x858458f6, /* ramfs */
	0x958458f6, /* hugetlbfs */
	0x65735546, /* FUSE: times are what the server says */
	0x01021997, /* 9p */
	0x6a656a63, /* virtiofs's older number */
	0xff534d42, /* CIFS */
	0xfe534d42, /* SMB 2 */
	0x0000517b, /* SMB */
	0x00004d44, /* FAT: no time of change */
	0x2011bab0, /* exFAT */
	0x00009660, /* ISO 9660 */
};

static char boot[64]; /* of this boot; empty: unknown */

void volume_begin(void)
{
	machine_number();
	int fd = *boot ? -1 : open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	ssize_t got = read(fd, boot, sizeof(boot) - 1);
	boot[got < 0 ? 0 : got] = 0;
	close(fd);
}

/* Whether a device is a disk. Others, such as loop devices, get new contents under an old number. */
static bool is_disk(unsigned major, unsigned minor)
{
	char name[48], target[256];
	snprintf(name, sizeof(name), "/sys/dev/block/%u:%u", major, minor);
	ssize_t length = major ? readlinkat(AT_FDCWD, name, target, sizeof(target) - 1) : -1;
	target[length < 0 ? 0 : length] = 0;
	return length > 0 && !strstr(target, "/virtual/");
}

/* A cache may be where other machines find it, whose disks have the same device numbers. */
static uint64_t disk_number(const struct statfs *fs)
{
	struct {
		uint64_t machine;
		fsid_t id;
	} of = {machine_number(), fs->f_fsid};
	return XXH3_64bits(&of, sizeof(of)) | 1;
}

static uint64_t mount_number(uint64_t mount)
{
	struct {
		char boot[sizeof(boot)];
		uint64_t mount;
	} of;
	memset(&of, 0, sizeof(of));
	memcpy(of.boot, boot, sizeof(boot));
	of.mount = mount;
	return XXH3_64bits(&of, sizeof(of)) | 1;
}

/* What is known of a mount. */
struct known {
	uint64_t dev, mount, number;
	bool tells, is_overlay;
};

static struct known known[KNOWN_MAX]; /* a ring */
static unsigned known_count;

static struct known find_mount(int fd, const struct statx *st)
{
	const bool is_unique = st->stx_mask & MOUNT_ID_UNIQUE, has_mount = is_unique || (st->stx_mask & STATX_MNT_ID);
	struct known found = {makedev(st->stx_dev_major, st->stx_dev_minor), has_mount ? st->stx_mnt_id : 0, 0, true,
	                      false};
	struct statfs fs;
	if (fstatfs(fd, &fs))
		return (struct known){found.dev, found.mount, 0, false, true};
	found.is_overlay = (uint32_t)fs.f_type == OVERLAYFS;
	for (unsigned i = 0; i < sizeof(doubtful) / sizeof(doubtful[0]); i++)
		found.tells &= (uint32_t)fs.f_type != doubtful[i];
	if (!found.tells)
		return found;
	if (is_disk(st->stx_dev_major, st->stx_dev_minor)) {
		found.number = disk_number(&fs);
		return found;
	}
	found.number = mount_number(found.mount);
	/* Before Linux 6.8 a later mount can have the number of an earlier one. */
	found.tells = *boot && (is_unique || (has_mount && !st->stx_dev_major));
	return found;
}

/* The mount that attributes are of, if it is known. */
static const struct known *find_known(const struct statx *st)
{
	const uint64_t dev = makedev(st->stx_dev_major, st->stx_dev_minor);
	for (unsigned i = 0; i < known_count && i < KNOWN_MAX; i++)
		if (known[i].dev == dev && known[i].mount == st->stx_mnt_id)
			return &known[i];
	return NULL;
}

bool volume_of(int fd, const struct statx *st, uint64_t *number)
{
	const struct known *at = find_known(st);
	if (!at) {
		known[known_count % KNOWN_MAX] = find_mount(fd, st);
		at = &known[known_count++ % KNOWN_MAX];
	}
	*number = at->number;
	return at->tells;
}

bool volume_settle(int fd, const struct statx *st)
{
	if (sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER))
		return false;
	const struct known *at = st ? find_known(st) : NULL;
	struct statfs fs;
	if (!at && fstatfs(fd, &fs))
		return false;
	/* The pages of a file in an overlay belong to a file below it. */
	const bool is_overlay = at ? at->is_overlay : (uint32_t)fs.f_type == OVERLAYFS;
	return !is_overlay || !fdatasync(fd);
}
