#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
case "$1" in
remove)
  echo 'lurecheck: /etc/lurecheck and /var/lib/lurecheck stay; dpkg --purge lurecheck deletes them'
  ;;
purge)
  rm -rf /etc/lurecheck /var/log/lurecheck.err /etc/systemd/system/lurecheck.service.d /etc/systemd/system/lurecheck@.service.d
  for path in /var/lib/lurecheck /var/lib/lurecheck-*; do
    # Backups are files beside the data directories.
    if [ -d "$path" ]; then rm -rf "$path"; fi
    if [ -e "$path" ]; then echo "lurecheck: kept $path, a backup; restoring it needs --foreign or your copy of backup.key"; fi
  done
  for path in /usr/local/bin/lurecheck*; do
    if [ -e "$path" ]; then echo "lurecheck: kept $path, which no package owns"; fi
  done
  if getent passwd lurecheck >/dev/null; then userdel lurecheck || echo 'lurecheck: kept the user lurecheck'; fi
  ;;
esac
