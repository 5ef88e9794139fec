import { exactText, RANK, type Value } from '../constants/script-value.ts';
import { LOADING_EVENTS, VISITOR_EVENTS } from '../page-names.ts';
import { type CodePlace, isConditional } from './script-reader.ts';

/** Returns when the handler of an event runs. */
export function eventRank(event: string): number {
  const name = event.toLowerCase().split('.', 1)[0] ?? '';
  if (VISITOR_EVENTS.has(name)) return RANK.clicked;
  return LOADING_EVENTS.has(name) ? RANK.itself : RANK.callback;
}

/** Notes that a function runs later; the text of one is read as a script. */
export function schedule(place: CodePlace, value: Value, rank: number): void {
  const { reader } = place;
  const from = Math.max(place.rank, rank);
  if (value !== null && typeof value === 'object' && value.kind === 'function')
    reader.queue.push({ called: value, rank: from, isConditional: isConditional(place) });
  else if (value !== null && typeof value === 'object' && value.kind === 'member') noteCall(place, value.key, rank);
}

/** Notes that a method of an unknown object is called, or handed on to be called. */
export function noteCall({ reader, rank }: CodePlace, key: string | null, least: number = RANK.itself): void {
  if (key === null) return;
  const from = Math.max(rank, least);
  if (from < (reader.calledNames.get(key) ?? RANK.never)) reader.calledNames.set(key, from);
}

/** Returns when the callbacks of a call run: by the name of the method, and the events that it names. */
export function callbackRank(key: string | null, args: readonly Value[]): number {
  if (key !== null && RUNS_AT_ONCE.test(key)) return RANK.itself;
  if (key !== null && VISITOR_EVENTS.has(key)) return RANK.clicked;
  for (const arg of args) {
    const events = exactText(arg);
    if (events === null || events.length > 100) continue;
    const ranks = events.split(/\s+/).map(eventRank);
    if (ranks.some((rank) => rank !== RANK.callback)) return Math.min(...ranks);
  }
  return RANK.callback;
}

/** Functions that call what they are given by themselves. */
const RUNS_AT_ONCE =
  /^(?:setTimeout|setInterval|requestAnimationFrame|requestIdleCallback|queueMicrotask|setImmediate|ready|load|\$|jQuery)$/;

/** Notes the functions among the arguments of an unknown call, and those in lists and records among them. */
export function scheduleArguments(place: CodePlace, key: string | null, args: readonly Value[]): void {
  if (!args.some((arg) => arg !== null && typeof arg === 'object')) return;
  const rank = callbackRank(key, args);
  for (const arg of args) {
    if (arg === null || typeof arg !== 'object') continue;
    if (arg.kind === 'list') for (const item of arg.items.slice(0, MAX_MEMBERS)) scheduleFunction(place, item, rank);
    else if (arg.kind === 'record')
      for (const item of [...arg.members.values()].slice(0, MAX_MEMBERS)) scheduleFunction(place, item, rank);
    else schedule(place, arg, rank);
  }
}

const MAX_MEMBERS = 100;

function scheduleFunction(place: CodePlace, value: Value, rank: number): void {
  if (value !== null && typeof value === 'object' && value.kind === 'function') schedule(place, value, rank);
}
