#!/bin/sh
set -e
if command -v systemd-sysusers >/dev/null; then systemd-sysusers lurecheck.conf; fi
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # After an upgrade; a first installation is started by whoever has set it up.
  systemctl try-restart lurecheck.service 'lurecheck@*.service'
fi
