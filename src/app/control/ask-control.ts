import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FollowState } from '#src/core/base/files/followed-file.ts';
import { type Guard, isText, listWith, mapWith, objectWith } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';

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
const isControlState = objectWith<ControlState>({
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

/** Time in which a service loads a list of a million entries on a slow disk. */
const PATIENCE_MS = 60_000;

/** Returns what the running service of a data directory says of itself; null if none answers this user. */
export async function askControl(dataDir: string, what: 'GET /state' | 'POST /look'): Promise<ControlState | null> {
  const unix = controlSocketIn(dataDir);
  if (!existsSync(unix)) return null;
  const [method = 'GET', path = '/'] = what.split(' ');
  try {
    const response = await fetch(`http://localhost${path}`, {
      ...{ unix, method },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const state = parseJson(await response.text());
    return isControlState(state) ? state : null;
  } catch {
    // A service that was killed leaves its socket; any other obstacle is a service that does not answer.
    return null;
  }
}
