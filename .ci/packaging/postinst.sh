#!/bin/sh
set -e
if command -v systemd-sysusers >/dev/null; then
  systemd-sysusers lurecheck.conf
elif ! getent passwd lurecheck >/dev/null; then
  useradd --system --user-group --no-create-home --home-dir /var/lib/lurecheck --shell /usr/sbin/nologin lurecheck
fi
if [ "$1" = configure ]; then
  for path in /etc/lurecheck /etc/lurecheck/environment /etc/lurecheck/lurecheck.toml; do
    # An operator's choice of another group stays.
    if [ -e "$path" ] && [ "$(stat -c %G "$path")" = root ]; then chgrp lurecheck "$path"; fi
  done
  [ -e /var/lib/lurecheck ] || install -d -o lurecheck -g lurecheck -m 0700 /var/lib/lurecheck
  # A backup can be made without it; `lurecheck doctor` tells.
  /usr/bin/lurecheck --quiet backup key >/dev/null || true
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    # After an upgrade only; the operator starts a first installation.
    systemctl try-restart lurecheck.service 'lurecheck@*.service'
  fi
  if [ -z "$2" ]; then
    echo 'lurecheck: settings are in /etc/lurecheck. To start the service and print its first key, as root:'
    echo '  lurecheck service install'
    echo 'or step by step: systemctl enable --now lurecheck; lurecheck key create admin --scope admin'
  fi
fi
