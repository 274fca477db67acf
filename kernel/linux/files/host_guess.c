/* SPDX-License-Identifier: MIT */
#include "kernel/linux/files/host_guess.h"

#include <stddef.h>

#include "abi/linux.h"

#define JUDGED_MIN 8    /* guesses without which there is no verdict */
#define JUDGED_MAX 1024 /* guesses after which the counts are halved: the latest count most */

/* Judged guesses: of directories at 1, of other objects at 0. */
static struct {
	uint64_t right, wrong;
} counts[2];

static struct inode *last; /* the directory that was listed last; NULL: it has ended */

static bool is_directory(const struct dentry *dentry)
{
	return dentry->type == LINUX_DT_DIR;
}

/* Judges the names up to one of a directory, back to the first that was judged: the program has gone past them. */
static void pass_over(struct dentry *dentry)
{
	for (; dentry && !dentry->passed; dentry = dentry->prev) {
		dentry->passed = true;
		counts[is_directory(dentry)].wrong += dentry->ahead;
	}
}

void host_guess_made(struct dentry *dentry)
{
	dentry->ahead = true;
}

void host_guess_used(struct dentry *dentry)
{
	const bool kind = is_directory(dentry);
	dentry->ahead = false;
	counts[kind].right++;
	if (!dentry->passed)
		pass_over(dentry);
	else if (counts[kind].wrong)
		counts[kind].wrong--;
	if (counts[kind].right + counts[kind].wrong >= JUDGED_MAX) {
		counts[kind].right /= 2;
		counts[kind].wrong /= 2;
	}
}

void host_guess_listed(struct inode *dir)
{
	if (last && last != dir && dir->dir.parent != last)
		pass_over(last->dir.last);
	last = dir;
}

void host_guess_forget(const struct inode *inode)
{
	if (last == inode)
		last = NULL;
}

bool host_guess_is_right(bool directories)
{
	const uint64_t right = counts[directories].right, judged = right + counts[directories].wrong;
	return judged >= JUDGED_MIN && right >= judged / 4 * 3;
}
