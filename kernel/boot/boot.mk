# SPDX-License-Identifier: MIT
#
# Images for the multiboot door. `make iso APP=NAME` makes build/NAME.iso, which boots by GRUB; WORDS is its command line
# (eremite.OPTION... -- ARG...) and ROOT an EROFS file.

UNIT_cmdline := kernel/boot/cmdline.c kernel/lib/format.c

WORDS ?=
ROOT ?=

.PHONY: iso
iso:
	@test -n "$(APP)" || { echo "make iso: give the program: APP=hello"; exit 1; }
	@$(MAKE) $(B)/apps/$(APP)
	@echo "  ISO     $(APP).iso"
	@scripts/make-iso $(if $(ROOT),--root $(ROOT)) $(B)/apps/$(APP) $(B)/$(APP).iso $(WORDS)
