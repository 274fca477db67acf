# SPDX-License-Identifier: MIT
#
# make check-stock-kvm: the tests under the KVM of Debian's own kernel, which QEMU boots on an AMD processor that it
# emulates (TCG), SVM and nested paging included. No part of `make check`: about half an hour. docs/hacking.md has more.

# Debian keeps one revision of a kernel at a time. When this one is gone, name the one that
# `apt-cache policy linux-image-amd64` shows, here or on make's command line, and its SHA-256 from `apt-cache show`.
STOCK_RELEASE := 6.1.0-56-amd64
STOCK_VERSION := 6.1.192-2
STOCK_SHA256 := a86e2049672f52354c4536a089203b6c82639420424d31c91cf31a181fd4d8f1
STOCK_DEB := linux-image-$(STOCK_RELEASE)_$(STOCK_VERSION)_amd64.deb
STOCK := $(B)/stock

# In the order in which they are loaded. kvm-amd comes last, by the test itself.
STOCK_MODULES := drivers/virtio/virtio_ring drivers/virtio/virtio drivers/virtio/virtio_pci_modern_dev \
	drivers/virtio/virtio_pci_legacy_dev drivers/virtio/virtio_pci net/9p/9pnet net/9p/9pnet_virtio fs/netfs/netfs \
	fs/fscache/fscache fs/9p/9p fs/overlayfs/overlay arch/x86/kernel/msr virt/lib/irqbypass arch/x86/kvm/kvm \
	drivers/crypto/ccp/ccp

$(STOCK)/vmlinuz: tests/stock/stock.mk
	@mkdir -p $(@D)
	@echo "  FETCH   $(STOCK_DEB)"
	@scripts/fetch-source linux-image-$(STOCK_RELEASE) $(STOCK_VERSION) $(STOCK_DEB) $(STOCK_SHA256) $(B)/download || \
		{ echo "check-stock-kvm: if Debian has another revision by now, pin that one in tests/stock/stock.mk" >&2; exit 1; }
	@rm -rf $(@D)/kernel && dpkg-deb -x $(B)/download/$(STOCK_DEB) $(@D)/kernel
	@cp $(@D)/kernel/boot/vmlinuz-$(STOCK_RELEASE) $@

# The same bytes from the same inputs: sorted names, no times, no owners.
$(STOCK)/initramfs.gz: tests/stock/init $(STOCK)/vmlinuz
	@echo "  CPIO    initramfs.gz"
	@rm -rf $(@D)/initramfs && mkdir -p $(addprefix $(@D)/initramfs/,bin modules proc sys dev host writable root)
	@cp /bin/busybox $(@D)/initramfs/bin/ && cp tests/stock/init $(@D)/initramfs/
	@for module in $(STOCK_MODULES) arch/x86/kvm/kvm-amd; do \
		cp $(@D)/kernel/lib/modules/$(STOCK_RELEASE)/kernel/$$module.ko $(@D)/initramfs/modules/ || exit 1; \
	done
	@echo $(notdir $(STOCK_MODULES)) >$(@D)/initramfs/modules/order
	@chmod -R u=rwX,go=rX $(@D)/initramfs && find $(@D)/initramfs -exec touch -h -d @0 {} +
	@cd $(@D)/initramfs && find . -print0 | LC_ALL=C sort -z | \
		cpio --null --create --format=newc --owner=0:0 --reproducible --quiet | gzip -9n >$@

$(STOCK)/tss_type.so: tests/stock/tss_type.c
	@mkdir -p $(@D)
	@echo "  HOSTLD  $(@F)"
	@$(CC) -std=gnu11 -O2 -fPIC $(WARNINGS) -shared -o $@ $< -ldl

.PHONY: check-stock-kvm check-stock-packages check-stock-build
check-stock-packages:
	@scripts/install-packages stock

check-stock-build: $(STOCK)/initramfs.gz $(STOCK)/tss_type.so

check-stock-kvm: check-stock-packages
	@$(MAKE) check-build check-stock-build
	@SRC=$(SRC) B=$(B) tests/stock/run $(T)

# make check-oldest-kernel: the bundle on the oldest Linux that it is for (tests/stock/oldest/run); minutes.
OLDEST_RELEASE := 5.10.0-32-amd64
OLDEST_VERSION := 5.10.223-1
OLDEST_SHA256 := 86a6792f3a03ab15a643f385830cdaa921f15e3e9c8bf63aa55a9243c62fc797
OLDEST_DEB := linux-image-$(OLDEST_RELEASE)_$(OLDEST_VERSION)_amd64.deb

$(STOCK)/oldest/vmlinuz: tests/stock/stock.mk
	@mkdir -p $(@D)
	@echo "  FETCH   $(OLDEST_DEB)"
	@scripts/fetch-source linux-image-$(OLDEST_RELEASE) $(OLDEST_VERSION) $(OLDEST_DEB) $(OLDEST_SHA256) $(B)/download bullseye
	@rm -rf $(@D)/kernel && dpkg-deb -x $(B)/download/$(OLDEST_DEB) $(@D)/kernel
	@cp $(@D)/kernel/boot/vmlinuz-$(OLDEST_RELEASE) $@

.PHONY: check-oldest-kernel
check-oldest-kernel: check-stock-packages
	@$(MAKE) bundle $(B)/tests/watchdog $(STOCK)/oldest/vmlinuz
	@SRC=$(SRC) B=$(B) tests/stock/oldest/run $(B)/bundle/eremite-$(VERSION)-x86_64.tar.zst
