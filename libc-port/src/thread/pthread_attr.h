/* SPDX-License-Identifier: MIT */
/* Attributes of threads, mutexes, conditions, barriers and read-write locks. */
#ifndef LIBC_PORT_PTHREAD_ATTR_H
#define LIBC_PORT_PTHREAD_ATTR_H

#include <errno.h>

/** Define functions that return an attribute, and that set it to a value from `least` to `most`. */
#define ATTR_GET(function, object, type, member) \
	int function(const object *attributes, type *value) \
	{ \
		*value = attributes->member; \
		return 0; \
	}
#define ATTR_SET(function, object, member, least, most) \
	int function(object *attributes, int value) \
	{ \
		if (value < least || value > most) \
			return EINVAL; \
		attributes->member = value; \
		return 0; \
	}

/** What pthread_attr_t has in its member __given. */
#define ATTR_SIGMASK 1U
#define ATTR_AFFINITY 2U

#endif
