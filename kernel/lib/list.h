/* SPDX-License-Identifier: MIT */
/* Circular doubly linked lists. The list head is itself a link of the ring. */
#ifndef KERNEL_LIB_LIST_H
#define KERNEL_LIB_LIST_H

#include <stdbool.h>
#include <stddef.h>

/** A list head, or a link that is a member of an element. A link that is in no list is all zero. */
struct list {
	struct list *next, *previous;
};

/** The structure that contains a link. */
#define list_entry(link, type, member) ((type *)((char *)(link)-offsetof(type, member)))

/** Visits the links of a list, which must not change meanwhile. */
#define list_each(link, head) for (struct list *link = (head)->next; link != (head); link = link->next)

static inline void list_init(struct list *list)
{
	list->next = list->previous = list;
}

static inline bool list_is_empty(const struct list *list)
{
	return list->next == list;
}

/* Whether a link is in a list. */
static inline bool list_has(const struct list *link)
{
	return link->next != NULL;
}

static inline void list_add_before(struct list *place, struct list *link)
{
	link->next = place;
	link->previous = place->previous;
	link->previous->next = link;
	place->previous = link;
}

static inline void list_add_last(struct list *list, struct list *link)
{
	list_add_before(list, link);
}

static inline void list_add_first(struct list *list, struct list *link)
{
	list_add_before(list->next, link);
}

/* Does nothing to a link that is in no list. */
static inline void list_remove(struct list *link)
{
	if (!link->next)
		return;
	link->previous->next = link->next;
	link->next->previous = link->previous;
	link->next = link->previous = NULL;
}

#endif
