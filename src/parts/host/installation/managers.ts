import type { Manager } from './manager.ts';
import { OPENRC } from './openrc.ts';
import { SYSTEMD } from './systemd.ts';

/** Every program that starts services and is known here. */
export const MANAGERS: readonly Manager[] = [SYSTEMD, OPENRC];
