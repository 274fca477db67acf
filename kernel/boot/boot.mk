# SPDX-License-Identifier: MIT
#
# Images for the multiboot door. `make iso APP=NAME` makes build/NAME.iso, which boots by GRUB; WORDS is its command line
# (eremite.OPTION... -- ARG...) and ROOT an EROFS file.

UNIT_cmdline := kernel/boot/cmdline.c kernel/lib/format.c

WORDS ?=
ROOT ?=

.PHONY: iso
iso:
	@case " $(APPS) " in *" $(APP) "*) ;; *) echo "make iso: there is no program '$(APP)'; APP= is one of: $(APPS)" >&2; exit 1 ;; esac
	@$(MAKE) $(B)/apps/$(APP)
	@echo "  ISO     $(APP).iso"
	@scripts/make-iso $(if $(ROOT),--root $(ROOT)) $(B)/apps/$(APP) $(B)/$(APP).iso $(WORDS)
