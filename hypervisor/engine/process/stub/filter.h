/* SPDX-License-Identifier: MIT */
/* The system calls that are left to the zygote and to a process of the guest. */
#ifndef ENGINE_PROCESS_STUB_FILTER_H
#define ENGINE_PROCESS_STUB_FILTER_H

enum filter_role {
	FILTER_ZYGOTE, /**< never has anything of a guest; makes processes that confine themselves further */
	FILTER_GUEST,
};

/** Installs the filter for the rest of this process's life. */
void filter_install(enum filter_role role);

#endif
