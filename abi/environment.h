/* SPDX-License-Identifier: MIT */
/* The default environment of every program. It is constant: nothing in it comes from the host. */
#ifndef ABI_ENVIRONMENT_H
#define ABI_ENVIRONMENT_H

/** Parent and name of the guest's home directory, an empty directory of the guest's own. */
#define ENVIRONMENT_HOME_PARENT "home"
#define ENVIRONMENT_HOME_NAME "guest"

/** One string for each variable, in the order in which the program sees them. */
#define ENVIRONMENT_DEFAULT_LIST(X) \
	X("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin") \
	X("HOME=/" ENVIRONMENT_HOME_PARENT "/" ENVIRONMENT_HOME_NAME) \
	X("LANG=C.UTF-8") \
	X("TZ=UTC")

/** Total bytes of these strings, including their NULs. */
#define ENVIRONMENT_DEFAULT_SIZE(string) +sizeof(string)
#define ENVIRONMENT_DEFAULT_BYTES (0 ENVIRONMENT_DEFAULT_LIST(ENVIRONMENT_DEFAULT_SIZE))

#endif
