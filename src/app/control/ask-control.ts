import { existsSync } from 'node:fs';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { type ControlState, controlSocketIn, isControlState } from './control-state.ts';

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
