/* SPDX-License-Identifier: MIT */
/* The user's cache directory: what can be made again from its inputs. Nothing depends on it but time. */
#ifndef HYPERVISOR_CACHE_H
#define HYPERVISOR_CACHE_H

#define CACHE_TEMPORARY_BYTES 48

/**
 * Opens, making it when needed, $EREMITE_CACHE, or else eremite below $XDG_CACHE_HOME (XDG Base Directory
 * Specification) or ~/.cache. Returns a descriptor for the caller to close, or -1: there is no cache. An empty
 * $EREMITE_CACHE means none.
 */
int cache_open(void);

/**
 * Makes an empty file for reading and writing in the cache, or, when that fails or cache is -1, in $TMPDIR or /tmp,
 * already unlinked there. name[] gets its name in the cache, or becomes empty. Returns a descriptor or a negative
 * errno.
 */
int cache_temporary(int cache, char name[CACHE_TEMPORARY_BYTES]);

/** Gives a temporary file its name, replacing one of that name, or removes it. 0 or a negative errno. */
int cache_rename(int cache, const char *temporary, const char *name);
void cache_remove(int cache, const char *temporary);

#endif
