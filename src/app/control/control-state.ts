import { join } from 'node:path';
import type { FollowState } from '#src/core/base/files/followed-file.ts';
import { type Guard, isText, listWith, mapWith, objectWith } from '#src/core/base/guard.ts';

/** State of a service, as sent over its control socket. */
export interface ControlState {
  readonly version: string;
  readonly pid: number;
  readonly ready: boolean;
  readonly notices: readonly string[];
  /** By file name: the version last read, and why it is not active. */
  readonly files: Readonly<Record<string, FollowState>>;
}

const isString: Guard<string> = (value): value is string => typeof value === 'string';
const isTextOrNull: Guard<string | null> = (value): value is string | null => value === null || isString(value);
const isNumber: Guard<number> = (value): value is number => Number.isInteger(value);
const isBoolean: Guard<boolean> = (value): value is boolean => typeof value === 'boolean';

/** True if a value is a {@link ControlState}. */
export const isControlState = objectWith<ControlState>({
  version: isText,
  pid: isNumber,
  ready: isBoolean,
  notices: listWith(isText),
  files: mapWith(objectWith<FollowState>({ stamp: isString, problem: isTextOrNull })),
});

/** The unix socket on which the service of a data directory answers its owner. */
export function controlSocketIn(dataDir: string): string {
  return join(dataDir, 'control.sock');
}
