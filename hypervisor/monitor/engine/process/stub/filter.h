/* SPDX-License-Identifier: MIT */
/* Filters the system calls of the zygote and of the guest's processes. */
#ifndef ENGINE_PROCESS_STUB_FILTER_H
#define ENGINE_PROCESS_STUB_FILTER_H

enum filter_role {
	FILTER_ZYGOTE, /**< has no guest memory; makes processes that confine themselves further */
	FILTER_GUEST,
};

/** Installs the filter for the rest of this process's life. */
void filter_install(enum filter_role role);

#endif
