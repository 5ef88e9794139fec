import { callListMethod, callOnText, listItems } from '../constants/list-methods.ts';
import { simplePattern, spend } from '../constants/pure-methods.ts';
import { addValues } from '../constants/script-operators.ts';
import {
  exactText,
  type FunctionValue,
  globalName,
  type HostValue,
  mapChoice,
  PLAIN,
  RANK,
  type Value,
} from '../constants/script-value.ts';
import { PLAIN_CALLS } from '../page-names.ts';
import { ANY_CALLS } from './any-calls.ts';
import { noteCall, scheduleArguments } from './callbacks.ts';
import {
  DOCUMENT_CALLS,
  decodedText,
  type HostCall,
  LOCATION_CALLS,
  STATIC_CALLS,
  WINDOW_CALLS,
} from './global-calls.ts';
import { writeValue } from './script-findings.ts';
import { type CodePlace, isConditional } from './script-reader.ts';

/** Calls a value: a function of the script, or a member of something; null if what it returns is unknown. */
export function callValue(place: CodePlace, called: Value, args: readonly Value[]): Value {
  if (called === null || typeof called !== 'object') return callUnknown(place, null, args);
  switch (called.kind) {
    case 'function':
      return callOwn(place, called, args);
    case 'member':
      return callMember(place, called.of, called.key, args);
    case 'record':
      return called.origin === null
        ? callUnknown(place, null, args)
        : callMember(place, called.origin.of, called.origin.key, args);
    case 'choice':
      return mapChoice(called, (one) => callValue(place, one, args));
    default:
      return callUnknown(place, null, args);
  }
}

function callOwn(place: CodePlace, called: FunctionValue, args: readonly Value[]): Value {
  const { reader } = place;
  const before = reader.isConditional;
  reader.isConditional = isConditional(place);
  const value = reader.call(called, args, place.rank);
  reader.isConditional = before;
  return value;
}

/** Calls a member that is no function of the script. */
function callMember(place: CodePlace, of: Value, key: string | null, args: readonly Value[]): Value {
  if (key === null) return callComputed(place, of, args);
  const indirect = callIndirectly(place, of, key, args);
  if (indirect !== undefined) return indirect;
  const value = callKnown(place, of, key, args);
  if (value !== undefined) return value;
  const any = Object.hasOwn(ANY_CALLS, key) ? ANY_CALLS[key] : undefined;
  if (any !== undefined) return any(place, of, args);
  const returned = callUnknown(place, key, args);
  return PLAIN_CALLS.has(key) ? PLAIN : returned;
}

/** `call`, `apply` and `bind`, of functions of the browser and of the script. */
function callIndirectly(place: CodePlace, of: Value, key: string, args: readonly Value[]): Value | undefined {
  if (key !== 'call' && key !== 'apply' && key !== 'bind') return undefined;
  if (of === null || typeof of !== 'object' || (of.kind !== 'member' && of.kind !== 'function')) return undefined;
  if (key === 'bind') return of;
  const given = key === 'call' ? args.slice(1) : (listItems(args[1] ?? null) ?? []);
  return callValue(place, of, given);
}

/** Calls a function of the browser, or a method of a constant; undefined if it is neither. */
function callKnown(place: CodePlace, of: Value, key: string, args: readonly Value[]): Value | undefined {
  if (of === null) return undefined;
  if (typeof of !== 'object' || of.kind === 'text') return callText(place, of, key, args);
  const { reader } = place;
  switch (of.kind) {
    case 'list': {
      const [callback = null] = args;
      const call = (given: readonly Value[]) =>
        callback !== null && typeof callback === 'object' && callback.kind === 'function'
          ? reader.callForEach(callback, given, place.rank)
          : callValue(place, callback, given);
      return decodedText(place, callListMethod(of, key, args, call, reader.budget));
    }
    case 'choice':
      return mapChoice(of, (one) => callMember(place, one, key, args));
    case 'host':
      return callHost(place, of.name, key, args);
    default:
      return callStatic(place, `${globalName(of)}.${key}`, args);
  }
}

function callText(place: CodePlace, of: Value, key: string, args: readonly Value[]): Value {
  if (typeof of === 'number' && key === 'toString') {
    const [radix = 10] = args;
    return typeof radix === 'number' && radix >= 2 && radix <= 36 ? of.toString(Math.trunc(radix)) : null;
  }
  const text = exactText(of);
  if (text === null) return null;
  const [from = null, callback = null] = args;
  if (key === 'concat') return args.reduce<Value>(addValues, of);
  const isCallback = callback !== null && typeof callback === 'object' && callback.kind === 'function';
  if (isCallback && key.startsWith('replace')) return decodedText(place, replaceBy(place, text, from, callback));
  return callOnText(of, key, args, place.reader.budget);
}

/** Replaces what a simple pattern finds by what a function of the script makes of it. */
function replaceBy(place: CodePlace, text: string, from: Value, callback: FunctionValue): Value {
  const pattern = from !== null && typeof from === 'object' && from.kind === 'pattern' ? simplePattern(from) : null;
  if (pattern === null || !spend(place.reader.budget, text.length)) return null;
  let isKnown = true;
  const replaced = text.replace(pattern, (...found: unknown[]) => {
    const given = found.filter((part) => typeof part === 'string').slice(0, -1);
    const made = isKnown ? exactText(place.reader.callForEach(callback, given, place.rank)) : null;
    isKnown &&= made !== null;
    return made ?? '';
  });
  return isKnown ? { kind: 'text', text: replaced, knownLength: null, encoded: true } : null;
}

const HOST_CALLS: Readonly<Record<HostValue['name'], Readonly<Record<string, HostCall>>>> = {
  window: WINDOW_CALLS,
  document: DOCUMENT_CALLS,
  location: LOCATION_CALLS,
  navigation: LOCATION_CALLS,
  this: {},
};

function callHost(place: CodePlace, name: HostValue['name'], key: string, args: readonly Value[]): Value | undefined {
  const calls = HOST_CALLS[name];
  return Object.hasOwn(calls, key) ? calls[key]?.(place, args) : undefined;
}

function callStatic(place: CodePlace, name: string, args: readonly Value[]): Value | undefined {
  return Object.hasOwn(STATIC_CALLS, name) ? STATIC_CALLS[name]?.(place, args) : undefined;
}

/** A method whose name is computed in an unknown way: obfuscated scripts write and navigate so. */
function callComputed(place: CodePlace, of: Value, args: readonly Value[]): Value {
  const { findings } = place.reader;
  const name = of !== null && typeof of === 'object' && of.kind === 'host' ? of.name : null;
  if (name === 'document') findings.writesUnknown = true;
  if (name === 'location' && place.rank <= RANK.callback) findings.movesAway = true;
  for (const arg of args) if (exactText(arg)?.includes('<')) writeValue(findings, arg, false);
  return callUnknown(place, null, args);
}

function callUnknown(place: CodePlace, key: string | null, args: readonly Value[]): Value {
  noteCall(place, key);
  scheduleArguments(place, key, args);
  return null;
}

/** Makes an object with `new`; null if it is unknown. */
export function construct(place: CodePlace, constructed: Value, args: readonly Value[]): Value {
  const name = globalName(constructed);
  const make = name !== null && Object.hasOwn(WINDOW_CALLS, name) ? WINDOW_CALLS[name] : undefined;
  if (make !== undefined) return make(place, args);
  const isOwn = constructed !== null && typeof constructed === 'object' && constructed.kind === 'function';
  if (isOwn) callOwn(place, constructed, args);
  else callUnknown(place, null, args);
  return null;
}
