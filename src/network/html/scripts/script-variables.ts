import { DOCUMENT, either, LOCATION, type NameScope, THIS, type Value, WINDOW } from './constants/script-value.ts';
import { assignMember } from './effects/assign-member.ts';
import { readGlobal, readMember } from './effects/member-access.ts';
import type { ScriptPlace } from './script-place.ts';

/** Members that `with` gives a name of their own. */
const OF_DOCUMENT = /^(?:write|writeln|location|title|body|getElementById|createElement)$/;
const OF_LOCATION = /^(?:href|replace|assign)$/;

/** Returns the value of a variable, or of a global of that name. */
export function readVariable(place: ScriptPlace, name: string): Value {
  const around = withAround(place, name);
  if (around !== null) return readMember(place.reader, around, name);
  if (name === 'this') return place.scope.outer === null ? WINDOW : THIS;
  for (let scope: NameScope | null = place.scope; scope !== null; scope = scope.outer) {
    const value = scope.names.get(name);
    if (value !== undefined && (scope.outer !== null || value !== null)) return value;
  }
  return readGlobal(place.reader, name);
}

/** Sets a variable; one that nothing declares is a member of the window. */
export function assignVariable(place: ScriptPlace, name: string, value: Value, isReplaced: boolean): void {
  const around = withAround(place, name);
  if (around !== null) {
    assignMember(place, around, name, value);
    return;
  }
  if (value !== null && typeof value === 'object' && value.kind === 'function' && value.name === '') value.name = name;
  for (let scope: NameScope | null = place.scope; scope !== null; scope = scope.outer) {
    const before = scope.names.get(name);
    if (before === undefined || (scope.outer === null && name === 'location')) continue;
    const isOneOfTwo = isReplaced && place.conditions > 0 && before !== '';
    scope.names.set(name, isOneOfTwo ? either(before, value) : value);
    return;
  }
  assignMember(place, WINDOW, name, value);
}

/** Declares a variable in the function around it, or for the page. */
export function declareVariable(place: ScriptPlace, name: string, value: Value): void {
  if (place.scope.outer === null && name === 'location') assignMember(place, WINDOW, name, value);
  else if (place.scope.names.size < MAX_NAMES) place.scope.names.set(name, value);
  if (value !== null && typeof value === 'object' && value.kind === 'function' && value.name === '') value.name = name;
}

/** Maximum number of names of one function, or of the page. */
const MAX_NAMES = 20_000;

function withAround({ withs }: ScriptPlace, name: string): Value {
  const around = withs.at(-1) ?? null;
  if (around === DOCUMENT && OF_DOCUMENT.test(name)) return around;
  return around === LOCATION && OF_LOCATION.test(name) ? around : null;
}
