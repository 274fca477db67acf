/* SPDX-License-Identifier: MIT */
/* Users and groups of the process. Identities cannot change; setting the current one succeeds. */
#include <grp.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"

uid_t getuid(void)
{
	return (uid_t)kcall_getuid();
}

uid_t geteuid(void)
{
	return (uid_t)kcall_geteuid();
}

gid_t getgid(void)
{
	return (gid_t)kcall_getgid();
}

gid_t getegid(void)
{
	return (gid_t)kcall_getegid();
}

int getresuid(uid_t *ruid, uid_t *euid, uid_t *suid)
{
	*ruid = getuid();
	*euid = *suid = geteuid();
	return 0;
}

int getresgid(gid_t *rgid, gid_t *egid, gid_t *sgid)
{
	*rgid = getgid();
	*egid = *sgid = getegid();
	return 0;
}

/* -1 leaves an identity as it is (setreuid(2)). */
static int keep(unsigned wanted, unsigned now)
{
	return wanted == now || wanted == ~0U ? 0 : kernel_refuse(EPERM);
}

int setuid(uid_t uid)
{
	return keep(uid, getuid());
}

int seteuid(uid_t uid)
{
	return keep(uid, geteuid());
}

int setgid(gid_t gid)
{
	return keep(gid, getgid());
}

int setegid(gid_t gid)
{
	return keep(gid, getegid());
}

int setreuid(uid_t real, uid_t effective)
{
	return keep(real, getuid()) < 0 ? -1 : keep(effective, geteuid());
}

int setresuid(uid_t real, uid_t effective, uid_t saved)
{
	return setreuid(real, effective) < 0 ? -1 : keep(saved, getuid());
}

int setresgid(gid_t real, gid_t effective, gid_t saved)
{
	return setregid(real, effective) < 0 ? -1 : keep(saved, getgid());
}

int setregid(gid_t real, gid_t effective)
{
	return keep(real, getgid()) < 0 ? -1 : keep(effective, getegid());
}

int getgroups(int, gid_t *)
{
	return 0;
}

int setgroups(int count, const gid_t *)
{
	return count == 0 ? 0 : kernel_refuse(EPERM);
}

int initgroups(const char *, gid_t group)
{
	return keep(group, getgid());
}

int issetugid(void)
{
	return 0;
}
