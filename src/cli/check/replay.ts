import { parseJson, readShape } from '#src/base/json-shape.ts';
import type { Engine } from '#src/program/engine.ts';
import { describeCheck } from '#src/record/describe-check.ts';
import { refang } from '#src/url/defang.ts';
import { isTargetProblem, parseTarget } from '#src/url/target.ts';
import { UsageError } from '../command.ts';
import type { CheckOutcome } from './check-one.ts';
import { type Observed, ObservedSchema } from './observed-schema.ts';

/**
 * Judges what `check --with-observations` printed, again and without a network. Id, time and timings are those of the
 * original check, so that the same models give the same bytes.
 *
 * @throws UsageError where the file holds something else.
 */
export async function* replay(path: string, engine: Pick<Engine, 'assess'>): AsyncGenerator<CheckOutcome> {
  for (const original of await readObserved(path)) {
    const target = parseTarget(refang(original.url).url);
    if (isTargetProblem(target)) throw new UsageError(`${path}: the URL ${original.url} ${target.message}`);
    const startedAtMs = Date.parse(original.timestamp);
    if (Number.isNaN(startedAtMs)) throw new UsageError(`${path}: there is no such time as ${original.timestamp}`);
    const { observations, analysis_details: details } = original;
    const result = describeCheck({
      requestId: original.request_id,
      startedAtMs,
      elapsedMs: 0,
      stagesMs: { observe: 0, assess: 0 },
      target: { ...target, input: original.url },
      observations,
      assessment: engine.assess(target, observations),
    });
    const { analysis_time, timings } = details;
    yield {
      result: { ...result, analysis_details: { ...result.analysis_details, analysis_time, timings }, observations },
    };
  }
}

async function readObserved(path: string): Promise<Observed[]> {
  const text = await Bun.file(path)
    .text()
    .catch((cause: unknown) => {
      throw new UsageError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
    });
  const values = readJson(text).flat();
  if (values.length === 0) throw new UsageError(`${path} does not hold ${WANTED}`);
  return values.map((value, index) => {
    const shaped = readShape(ObservedSchema, value);
    if ('value' in shaped) return shaped.value;
    throw new UsageError(`${path} does not hold ${WANTED}: in answer ${index + 1} ${shaped.problem}`);
  });
}

const WANTED = 'what check --with-observations --format json prints';

/** One JSON text, or one a line; nothing where it is neither. */
function readJson(text: string): unknown[] {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  const lines = text.trim().split('\n').map(parseJson);
  return lines.includes(undefined) ? [] : lines;
}
