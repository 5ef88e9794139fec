#!/bin/sh
set -e
if command -v systemd-sysusers >/dev/null; then systemd-sysusers lurecheck.conf; fi
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # After an upgrade only; the operator starts a first installation.
  systemctl try-restart lurecheck.service 'lurecheck@*.service'
fi
