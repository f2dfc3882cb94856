#!/usr/bin/env bash
# Second half of try-unit.sh, as the first process of its name spaces: makes the file system, moves into it, becomes systemd.
set -euo pipefail
root=$1
checkout=$2
output=$3
mount -t tmpfs -o mode=0755 tmpfs "$root"
cd "$root"
mkdir -p usr etc proc sys dev run tmp var opt/stellar-teller root old
mount --bind /usr usr && mount -o remount,bind,ro usr
for link in bin sbin lib lib64; do ln -s usr/$link $link; done
mkdir written working && mount -t overlay overlay -o lowerdir="$checkout",upperdir=written,workdir=working opt/stellar-teller
mount -t proc proc proc
mount --bind proc/sys proc/sys && mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=0755 tmpfs dev
for device in null zero full random urandom tty; do
  touch dev/$device
  mount --bind /dev/$device dev/$device
done
mkdir dev/shm dev/pts && chmod 1777 tmp dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts && ln -s pts/ptmx dev/ptmx
touch root/output && mount --bind "$output" root/output
mkdir -p etc/systemd/system
cp -a /etc/passwd /etc/group /etc/shadow /etc/nsswitch.conf /etc/login.defs etc/ && cp -a /etc/dbus-1 /etc/ld.so.* /etc/ssl /etc/alternatives etc/ 2>/dev/null || true
: >etc/machine-id
cp "$checkout/packaging/systemd/rotate-unit.sh" root/
cat >etc/systemd/system/try.service <<'END'
[Unit]
Requires=dbus.socket
After=dbus.socket
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
ExecStart=/bin/bash /root/rotate-unit.sh
StandardOutput=file:/root/output
StandardError=inherit
END
# The devices, the disks and the clock are those of the machine: nothing of the boot may touch them.
for unit in systemd-udevd.service systemd-udev-trigger.service systemd-tmpfiles-setup-dev.service systemd-modules-load.service \
  systemd-remount-fs.service systemd-random-seed.service systemd-sysctl.service systemd-timesyncd.service kmod-static-nodes.service \
  dev-hugepages.mount dev-mqueue.mount sys-kernel-debug.mount sys-kernel-tracing.mount; do
  ln -sf /dev/null etc/systemd/system/$unit
done
pivot_root . old
umount -l /old
mount --make-rshared / # or the credentials of a unit would stay where systemd makes them
ip link set lo up
export container=stellar-teller-try
exec /usr/lib/systemd/systemd --system --unit=try.service --show-status=0 --log-target=null
