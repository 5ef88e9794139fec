import type { Io } from '#src/core/base/io.ts';
import { refang } from '#src/core/url/defang.ts';
import { readServiceAuthorities } from '#src/network/egress/egress.ts';
import type { CheckInput } from '../check/check-input.ts';
import { type CheckOutcome, inMessage, lineProblem } from '../check/check-one.ts';
import type { Invocation } from '../command.ts';
import { type AskService, type ServiceItem, serviceAt } from './ask-service.ts';
import { type NamedService, readServiceAddress } from './service-address.ts';

/** A shorter wait is over before anybody has read of it. */
const MIN_REPORTED_SECONDS = 3;

/** A service, and the log that it uses. */
export interface ServiceRequest {
  readonly service: NamedService;
  readonly isPrivate: boolean;
}

/** Checks inputs at a service, and reports waiting times on a terminal. Throws like its parts. */
export async function* checkAtService(
  inputs: AsyncIterable<readonly CheckInput[]>,
  { service, isPrivate }: ServiceRequest,
  { config, isQuiet }: Pick<Invocation<Parameters<typeof readServiceAuthorities>[0]>, 'config' | 'isQuiet'>,
  io: Pick<Io, 'stderr'>,
): AsyncGenerator<CheckOutcome> {
  const way = await readServiceAddress(service);
  const ask = serviceAt(way, await readServiceAuthorities(config));
  const wait = async (seconds: number) => {
    if (!isQuiet && seconds >= MIN_REPORTED_SECONDS) {
      await io.stderr.write(`lurecheck: ${way.url} limits the rate; continuing in ${seconds} s\n`);
    }
    await Bun.sleep(seconds * 1000);
  };
  yield* checkRemotely(inputs, { ask, isPrivate, wait });
}

/** Limits of one request, in number and bytes (`INTERFACE.md`). */
const MAX_URLS = 100;
const MAX_BYTES = 800 * 1024;

/** Consecutive waits without progress before giving up. */
const MAX_FRUITLESS_WAITS = 5;

/** Maximum wait for one place, in seconds; the window of a limit is a minute. */
const MAX_WAIT_SECONDS = 120;

/** Options of checks by a service. */
export interface RemoteChecking {
  readonly ask: AskService;
  readonly isPrivate: boolean;
  /** Lets that much time pass. */
  readonly wait: (seconds: number) => Promise<void>;
}

/**
 * Lets a service check inputs, and yields what came of them in order. What it has no place for is sent again when it says
 * that there will be one, a few times in vain at most. Throws RemoteServiceError once it cannot be asked.
 */
export async function* checkRemotely(
  batches: AsyncIterable<readonly CheckInput[]>,
  remote: RemoteChecking,
): AsyncGenerator<CheckOutcome> {
  for await (const inputs of batches) {
    for (const group of inGroups(inputs)) yield* await checkGroup(group, remote);
  }
}

/** Returns the URL to send for an input; null if there is none. */
function urlOf({ target, text, page }: CheckInput): string | null {
  return 'problem' in target || page !== null ? null : refang(text).url;
}

function inGroups(inputs: readonly CheckInput[]): CheckInput[][] {
  const groups: CheckInput[][] = [];
  let [current, bytes]: [CheckInput[], number] = [[], 0];
  for (const input of inputs) {
    const size = Buffer.byteLength(JSON.stringify(urlOf(input)));
    const isOther = current[0] !== undefined && isGuess(current[0]) !== isGuess(input);
    if (isOther || current.length === MAX_URLS || bytes + size > MAX_BYTES) [current, bytes] = [[], 0];
    if (current.length === 0) groups.push(current);
    current.push(input);
    bytes += size;
  }
  return groups;
}

/** Returns true if it may be half of a link that a line break cut, which must not be in the public history. */
function isGuess({ link }: CheckInput): boolean {
  return link?.isGuess === true;
}

async function checkGroup(
  inputs: readonly CheckInput[],
  { ask, isPrivate, wait }: RemoteChecking,
): Promise<readonly CheckOutcome[]> {
  const sent = inputs.map((input) => ({ input, url: urlOf(input), item: null as ServiceItem | null }));
  let waiting = sent.filter(({ url }) => url !== null);
  for (let fruitless = 0; waiting.length > 0; ) {
    const items = await ask({
      urls: waiting.map(({ url }) => url ?? ''),
      isPrivate: isPrivate || inputs.some(isGuess),
    });
    for (const [at, one] of waiting.entries()) one.item = items[at] ?? null;
    const again = waiting.filter(({ item }) => waitOf(item) !== null);
    const seconds = Math.max(1, ...again.map(({ item }) => waitOf(item) ?? 0));
    fruitless = again.length === waiting.length ? fruitless + 1 : 0;
    waiting = again;
    if (waiting.length === 0 || fruitless > MAX_FRUITLESS_WAITS || seconds > MAX_WAIT_SECONDS) break;
    await wait(seconds);
  }
  return sent.map(({ input, item }) => outcomeOf(input, item));
}

/** Returns seconds until a URL may be sent again; null if its answer is final. */
function waitOf(item: ServiceItem | null): number | null {
  return (item !== null && 'problem' in item && item.problem.retry_after_seconds) || null;
}

/** Converts an answer to a local outcome: with the URL as read, and what its message says of it. */
function outcomeOf(input: CheckInput, item: ServiceItem | null): CheckOutcome {
  const { target, text, line, link, page } = input;
  if (page !== null) return { problem: lineProblem(input, 'invalid_body', 'a saved page is not sent to a service') };
  if ('problem' in target) return { problem: lineProblem(input, target.code, target.problem) };
  if (item === null) throw new TypeError('a URL was not sent');
  if ('result' in item) return { result: { ...item.result, url: text, ...(link && { in_message: inMessage(link) }) } };
  const { type, title, status, detail, code } = item.problem;
  return { problem: { type, title, status, detail, code, url: text, line } };
}
