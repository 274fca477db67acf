# SPDX-License-Identifier: MIT
#
# make install PREFIX=/usr/local DESTDIR= puts the monitor, its helper and the compiler command with its headers and
# libraries, the manual pages and completion for bash under the prefix; make uninstall takes them away. make demo shows in a minute what it is all for.

PREFIX ?= /usr/local
INSTALLED := $(DESTDIR)$(PREFIX)
ifneq ($(words x$(INSTALLED)x),1)
ifneq ($(filter install uninstall install-libc-port,$(MAKECMDGOALS)),)
$(error PREFIX and DESTDIR must not contain blanks: '$(INSTALLED)')
endif
endif
MAN_PAGES := $(wildcard docs/*.1)

# Directories that an install makes are listed beside its files, from the deepest up, so that uninstall leaves none of them.
INSTALLED_LIST := $(INSTALLED)/lib/eremite/directories
INSTALLED_TO := bin include lib/eremite libexec/eremite share/man/man1 share/bash-completion/completions

.PHONY: install uninstall install-directories demo
install-directories:
	@made=$$(for folder in $(INSTALLED_TO); do \
		folder=$(INSTALLED)/$$folder; \
		while [ -n "$$folder" ] && [ "$$folder" != '$(DESTDIR)' ] && [ ! -d "$$folder" ]; do \
			echo "$${folder#'$(DESTDIR)'}"; folder=$${folder%/*}; \
		done; done | LC_ALL=C sort -ru); \
	mkdir -p $(INSTALLED)/lib/eremite && { [ -z "$$made" ] || echo "$$made"; } >>$(INSTALLED_LIST)

install: hypervisor kernel install-directories install-libc-port
	@install -D -m 755 $(B)/eremite $(INSTALLED)/bin/eremite
	@install -D -m 755 $(B)/eremite-symbolize $(INSTALLED)/libexec/eremite/eremite-symbolize
	@install -D -m 644 $(B)/lib/linux.image $(INSTALLED)/lib/eremite/linux.image
	@install -D -m 644 $(B)/lib/eremite-tsan.so $(INSTALLED)/lib/eremite/eremite-tsan.so
	@install -D -m 644 $(B)/lib/linux.image.sym $(INSTALLED)/lib/eremite/linux.image.sym
	@install -D -m 644 libc-port/include/eremite.h $(INSTALLED)/include/eremite.h
	@for page in $(MAN_PAGES); do install -D -m 644 -t $(INSTALLED)/share/man/man1 $$page; done
	@install -D -m 644 scripts/eremite.bash-completion $(INSTALLED)/share/bash-completion/completions/eremite
	@echo "  INSTALL $(INSTALLED)"

uninstall:
	@rm -f $(INSTALLED)/bin/eremite $(INSTALLED)/bin/eremite-cc \
		$(addprefix $(INSTALLED)/share/man/man1/,$(notdir $(MAN_PAGES)))
	@rm -f $(INSTALLED)/include/eremite.h $(INSTALLED)/share/bash-completion/completions/eremite
	@made=$$(cat $(INSTALLED_LIST) 2>/dev/null | LC_ALL=C sort -ru); \
	rm -rf $(INSTALLED)/lib/eremite $(INSTALLED)/libexec/eremite; \
	for folder in $$made; do \
		[ ! -d "$(DESTDIR)$$folder" ] || rmdir --ignore-fail-on-non-empty "$(DESTDIR)$$folder"; \
	done
	@echo "  REMOVE  $(INSTALLED)"

demo:
	@scripts/demo

# eremite and all that it needs of a system, in one archive: build/bundle/eremite-VERSION-x86_64.tar.zst.
VERSION := $(shell sed -n 's/^.define EREMITE_VERSION "\(.*\)"$$/\1/p' hypervisor/base/version.h)

.PHONY: bundle check-bundle deb check-deb check-debian
bundle: hypervisor kernel $(B)/launcher
	@scripts/bundle $(B) $(VERSION)

# build/deb/eremite_VERSION_amd64.deb and eremite-dev_VERSION_amd64.deb.
deb: hypervisor kernel libc-port
	@scripts/deb $(B) $(VERSION)

# The packages in a bare root.
check-deb: deb
	@scripts/check-deb $(B) $(VERSION)

# Build, demo and tests in a fresh root of another Debian or Ubuntu, as root: make check-debian SUITE=trixie [T='linux/epoll'].
SUITE ?= trixie
check-debian: all
	@scripts/check-in-debian $(B) $(SUITE) $(T)

# The bundle in a root that holds nothing else, as any user, from odd places.
check-bundle: bundle $(B)/tests/watchdog
	@SRC=$(SRC) B=$(B) tests/run bundle/

# The tests of tests/programs compare with these.
check-build: apps-native
