# SPDX-License-Identifier: MIT
#
# The page of `eremite profile`, which the monitor carries as bytes.

FLAME_OBJECT := $(B)/obj/hypervisor/tools/profile/flame.o

$(FLAME_OBJECT): hypervisor/tools/profile/flame/flame.html hypervisor/tools/profile/flame/flame.mk
	@mkdir -p $(@D)
	@echo "  PAGE    $@"
	@printf '%s\n' '.section .rodata' '.globl flame_html, flame_html_end' 'flame_html:' '.incbin "$<"' 'flame_html_end:' \
		'.section .note.GNU-stack, "", @progbits' | $(CC) -x assembler -c - -o $@
