/* SPDX-License-Identifier: MIT */
/* Files of the guest's own in the place of files of the host: /etc/hosts and /etc/resolv.conf. */
#ifndef KERNEL_LINUX_FILES_OWN_FILES_H
#define KERNEL_LINUX_FILES_OWN_FILES_H

#include <stdbool.h>

/** Puts them over the names in the root's /etc, if that is a directory. The program may write to them, but not rename
 * or remove them. has_route: /etc/hosts names the host, too. Returns 0 or -ENOMEM. */
int own_files_init(bool has_route);

#endif
