#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now lurecheck.service
  systemctl stop 'lurecheck@*.service'
  systemctl disable lurecheck@.service
fi
