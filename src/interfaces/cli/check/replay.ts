import type { Engine } from '#src/app/engine.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { maskResult } from '#src/checks/record/redact/redact-result.ts';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { refang } from '#src/core/url/defang.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { UsageError } from '../command.ts';
import type { CheckOutcome } from './check-one.ts';
import { type Observed, ObservedSchema } from './observed-schema.ts';

/** Answers with what was observed for them. */
export interface ObservedAnswers {
  /** The file, for messages. */
  readonly place: string;
  readonly answers: readonly Observed[];
  /** True if they stood in an array, or a line each. */
  readonly isList: boolean;
}

/**
 * Classifies the output of `check --with-observations` again, without a network. Id, time and timings are those of the
 * original check, so that the same models give the same bytes.
 *
 * @throws UsageError if an answer is not about a URL at a time
 */
export async function* replay(
  { place, answers }: ObservedAnswers,
  engine: Pick<Engine, 'assess'>,
): AsyncGenerator<CheckOutcome> {
  for (const original of answers) {
    const target = parseTarget(refang(original.url).url);
    if (isTargetProblem(target)) throw new UsageError(`${place}: the URL ${original.url} ${target.message}`);
    const startedAtMs = Date.parse(original.timestamp);
    if (Number.isNaN(startedAtMs)) throw new UsageError(`${place}: invalid time: ${original.timestamp}`);
    const { analysis_details: details } = original;
    const observations = completeObservations(original.observations);
    const described = describeCheck({
      requestId: original.request_id,
      startedAtMs,
      elapsedMs: 0,
      stagesMs: { observe: 0, assess: 0 },
      target: { ...target, input: original.url },
      observations,
      via: details.via ?? 'cli',
      assessment: engine.assess(target, observations),
    });
    const { answer: result } = maskResult(described, 'private');
    const { analysis_time, timings } = details;
    yield {
      result: { ...result, analysis_details: { ...result.analysis_details, analysis_time, timings }, observations },
    };
  }
}

/**
 * Adds members that observations of version 0.1 lack. The status distinguishes redirects from refreshes. The order of
 * members is preserved, so that the same answer is printed again.
 */
function completeObservations(observations: Observed['observations']): Observations {
  const { page } = observations;
  if (page.state !== 'observed') return { ...observations, page };
  const { passed = [] } = page.value;
  const value = { ...page.value, ...completeVisit(page.value), passed: passed.map(completeVisit) };
  return { ...observations, page: { ...page, value } };
}

type ObservedVisit = Extract<Observed['observations']['page'], { readonly state: 'observed' }>['value'];

function completeVisit(visit: Omit<ObservedVisit, 'passed'>): PageVisit {
  const { redirects, exits = [], document } = visit;
  return {
    ...visit,
    redirects: redirects.map((hop) => ({
      ...hop,
      how: hop.how ?? (hop.status >= 300 && hop.status < 400 ? 'http' : 'refresh'),
    })),
    passed: [],
    exits,
    document: document && { ...document, exits: document.exits ?? [] },
  };
}

/**
 * Reads output of `check --with-observations` from a file, or from standard input if the path is `-`.
 *
 * @throws UsageError if it is something else
 */
export async function readObserved(
  path: string,
  stdin: AsyncIterable<Uint8Array>,
  resolvePath: (path: string) => string = (named) => named,
): Promise<ObservedAnswers> {
  const place = path === '-' ? 'standard input' : path;
  const text = path === '-' ? await textOf(stdin) : await readText(path, resolvePath(path));
  const read = readJson(text);
  const values = read.flat();
  if (values.length === 0) throw new UsageError(`${place} does not hold ${WANTED}`);
  const answers = values.map((value, index) => {
    const shaped = readShape(ObservedSchema, value);
    if ('value' in shaped) return shaped.value;
    throw new UsageError(`${place} does not hold ${WANTED}: in answer ${index + 1} ${shaped.problem}`);
  });
  return { place, answers, isList: read.length !== 1 || Array.isArray(read[0]) };
}

async function textOf(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(stdin)).toString();
}

async function readText(path: string, place: string): Promise<string> {
  try {
    return await Bun.file(place).text();
  } catch (cause) {
    throw new UsageError(`${path} ${readErrorText(cause)}`, { cause });
  }
}

const WANTED = 'what check --with-observations --format json prints';

/** Parses one JSON text, or one per line; returns nothing if the text is neither. */
function readJson(text: string): unknown[] {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  const lines = text.trim().split('\n').map(parseJson);
  return lines.includes(undefined) ? [] : lines;
}
