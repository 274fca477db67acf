/* SPDX-License-Identifier: MIT */
/* gettext(3) without catalogues: returns messages unchanged, and remembers the domain and its folder. */
#include <libintl.h>
#include <stdlib.h>
#include <string.h>

/* Domains that were bound, each with its folder and codeset. */
static struct binding {
	struct binding *next;
	char *domain, *folder, *codeset;
} * bindings;

static char *current;

static char *unchanged(const char *message)
{
	return (char *)(unsigned long)message;
}

char *gettext(const char *message)
{
	return unchanged(message);
}

char *dgettext(const char *, const char *message)
{
	return unchanged(message);
}

char *dcgettext(const char *, const char *message, int)
{
	return unchanged(message);
}

char *ngettext(const char *one, const char *many, unsigned long count)
{
	return unchanged(count == 1 ? one : many);
}

char *dngettext(const char *, const char *one, const char *many, unsigned long count)
{
	return ngettext(one, many, count);
}

char *dcngettext(const char *, const char *one, const char *many, unsigned long count, int)
{
	return ngettext(one, many, count);
}

char *textdomain(const char *domain)
{
	if (domain) {
		char *copy = strdup(*domain ? domain : "messages");
		if (!copy)
			return NULL;
		free(current);
		current = copy;
	}
	return current ? current : unchanged("messages");
}

static struct binding *find_binding(const char *domain)
{
	if (!domain || !*domain)
		return NULL;
	for (struct binding *b = bindings; b; b = b->next)
		if (!strcmp(b->domain, domain))
			return b;
	struct binding *made = calloc(1, sizeof(*made));
	if (!made || !(made->domain = strdup(domain))) {
		free(made);
		return NULL;
	}
	made->next = bindings;
	return bindings = made;
}

/* Sets one text of a binding if a new one is given. */
static char *set_text(char **text, const char *wanted)
{
	if (wanted) {
		char *copy = strdup(wanted);
		if (!copy)
			return NULL;
		free(*text);
		*text = copy;
	}
	return *text;
}

char *bindtextdomain(const char *domain, const char *folder)
{
	struct binding *b = find_binding(domain);
	if (!b)
		return NULL;
	char *result = set_text(&b->folder, folder);
	return result ? result : unchanged("/usr/share/locale");
}

char *bind_textdomain_codeset(const char *domain, const char *codeset)
{
	struct binding *b = find_binding(domain);
	return b ? set_text(&b->codeset, codeset) : NULL;
}
