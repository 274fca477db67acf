/* SPDX-License-Identifier: MIT */
/* Names and numbers of network interfaces (if_nametoindex(3), if_nameindex(3)). */
#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ioctl(2) on a socket of its own. Leaves errno as it is where it works. */
static int ask_interface(unsigned long request, struct ifreq *about)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	int result = ioctl(fd, request, about), error = errno;
	close(fd);
	errno = error;
	return result;
}

unsigned if_nametoindex(const char *name)
{
	struct ifreq about = {.ifr_name = ""};
	if (strlen(name) >= IFNAMSIZ) {
		errno = ENODEV;
		return 0;
	}
	strcpy(about.ifr_name, name);
	return ask_interface(SIOCGIFINDEX, &about) < 0 ? 0 : (unsigned)about.ifr_ifindex;
}

char *if_indextoname(unsigned number, char *name)
{
	struct ifreq about = {.ifr_ifindex = (int)number};
	if (ask_interface(SIOCGIFNAME, &about) < 0) {
		errno = errno == ENODEV ? ENXIO : errno;
		return NULL;
	}
	return strcpy(name, about.ifr_name);
}

/* The kernel numbers its interfaces from 1 without gaps. The last entry has the number 0. */
struct if_nameindex *if_nameindex(void)
{
	char name[IFNAMSIZ];
	struct if_nameindex *list = NULL;
	for (unsigned count = 0;; count++) {
		struct if_nameindex *longer = realloc(list, (count + 1) * sizeof(*list));
		if (!longer)
			break;
		list = longer;
		list[count] = (struct if_nameindex){0, NULL};
		if (!if_indextoname(count + 1, name))
			return list;
		list[count] = (struct if_nameindex){count + 1, strdup(name)};
		if (!list[count].if_name)
			break;
	}
	if_freenameindex(list);
	errno = ENOBUFS;
	return NULL;
}

void if_freenameindex(struct if_nameindex *list)
{
	for (struct if_nameindex *at = list; at && at->if_index; at++)
		free(at->if_name);
	free(list);
}
