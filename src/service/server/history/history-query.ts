import { type Static, Type } from '@sinclair/typebox';
import { COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS, type Via } from '#src/checks/record/decided-by.ts';
import { CHECK_KINDS } from '#src/checks/record/message-record.ts';
import { domainKey } from '#src/checks/store/domains/host-suffixes.ts';
import type { MessagePageQuery } from '#src/checks/store/messages/stored-message.ts';
import type { HistoryQuery, HistoryWalk, SearchFilter } from '#src/checks/store/scan-log.ts';
import { parseInstant } from '#src/core/base/clock.ts';
import { parameter } from '../http/parameter.ts';
import { badFields, ProblemError } from '../http/problem.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** No stored URL contains a longer text. */
const MAX_TEXT_LENGTH = 512;

/** Long enough that a walk costs next to nothing, and shorter than proxies wait for an answer. */
const DEFAULT_WAIT_SECONDS = 20;
const MAX_WAIT_SECONDS = 60;

const INSTANT = 'a time such as 2026-01-31T12:00:00Z';

const isLimit = (text: string) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LIMIT;

const isWait = (text: string) => /^\d{1,2}$/.test(text) && Number(text) <= MAX_WAIT_SECONDS;

const PAGE_PARAMETERS = {
  kind: Type.Optional(
    parameter<(typeof CHECK_KINDS)[number]>(
      `one of ${CHECK_KINDS.join(', ')}`,
      (text) => CHECK_KINDS.some((one) => one === text),
      {
        enum: [...CHECK_KINDS],
        default: 'url',
        description:
          'Checks of URLs, or of messages as a whole, for which only `decision`, `from`, `until`, `limit` and `cursor` apply',
        examples: ['url'],
      },
    ),
  ),
  limit: Type.Optional(
    Type.Transform(
      parameter<number>(`a whole number from 1 to ${MAX_LIMIT}`, isLimit, {
        type: 'integer',
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        description: 'Checks on the page',
        examples: [50],
      }),
    )
      .Decode(Number)
      .Encode((limit) => limit),
  ),
  cursor: Type.Optional(
    parameter('a next_cursor of the history', (text) => text !== '', {
      description: '`next_cursor` of the previous page',
    }),
  ),
};

const WALK = {
  after: Type.Optional(
    parameter('a next_cursor of a walk, or empty', () => true, {
      description:
        'Read forward: the checks that were logged after this cursor, in the order of logging. Empty at first, then `next_cursor` of the previous answer',
    }),
  ),
  wait: Type.Optional(
    Type.Transform(
      parameter<number>(`a whole number from 0 to ${MAX_WAIT_SECONDS}`, isWait, {
        type: 'integer',
        minimum: 0,
        maximum: MAX_WAIT_SECONDS,
        default: DEFAULT_WAIT_SECONDS,
        description: 'With `after`: seconds to wait at the end for another check',
        examples: [DEFAULT_WAIT_SECONDS],
      }),
    )
      .Decode(Number)
      .Encode((wait) => wait),
  ),
};

const isVersion = (text: string) => text !== '' && text.length <= MAX_TEXT_LENGTH;

/** Maximum length of the name of a list, which may be a file's. */
const MAX_NAME_LENGTH = 255;

const isName = (text: string) => text !== '' && text.length <= MAX_NAME_LENGTH;

/** No entry is longer than a URL may be. */
const MAX_ENTRY_LENGTH = 8192;

const isEntry = (text: string) => text !== '' && text.length <= MAX_ENTRY_LENGTH;

const isReasonCode = (text: string) => /^[a-z]{1,32}\.[a-z_]{1,64}$/.test(text);

const PAGE_LIMIT_NOTE = 'A page scans at most 5,000 checks; its cursor continues from there';

const FILTERS = {
  decision: Type.Optional(
    parameter<(typeof DECISIONS)[number]>(
      `one of ${DECISIONS.join(', ')}`,
      (text) => DECISIONS.some((one) => one === text),
      { enum: [...DECISIONS], description: 'Only checks with this verdict', examples: ['block'] },
    ),
  ),
  coverage: Type.Optional(
    parameter<(typeof COVERAGES)[number]>(
      `one of ${COVERAGES.join(', ')}`,
      (text) => COVERAGES.some((one) => one === text),
      {
        enum: [...COVERAGES],
        description: `Only checks with this coverage. ${PAGE_LIMIT_NOTE}`,
        examples: ['url_only'],
      },
    ),
  ),
  caution: Type.Optional(
    parameter<'true' | 'false'>('true or false', (text) => text === 'true' || text === 'false', {
      enum: ['true', 'false'],
      description: `Only checks that need caution, or only those that do not. ${PAGE_LIMIT_NOTE}`,
      examples: ['true'],
    }),
  ),
  via: Type.Optional(
    parameter<Via>(`one of ${VIAS.join(', ')}`, (text) => VIAS.some((one) => one === text), {
      enum: [...VIAS],
      description: `Only checks that came in this way. ${PAGE_LIMIT_NOTE}`,
      examples: ['page'],
    }),
  ),
  list: Type.Optional(
    parameter(`a name of at most ${MAX_NAME_LENGTH} characters`, isName, {
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      description: `Only checks that an entry of this list decided; needs a key. ${PAGE_LIMIT_NOTE}`,
      examples: ['console-block'],
    }),
  ),
  entry: Type.Optional(
    parameter(`an entry of at most ${MAX_ENTRY_LENGTH} characters`, isEntry, {
      minLength: 1,
      maxLength: MAX_ENTRY_LENGTH,
      description: `Only checks that this entry of a list decided; needs a key. ${PAGE_LIMIT_NOTE}, without \`list\``,
      examples: ['evil.example'],
    }),
  ),
  reason: Type.Optional(
    parameter('the code of a reason', isReasonCode, {
      description: `Only checks with a reason of this code. ${PAGE_LIMIT_NOTE}`,
      examples: ['url.suffix'],
    }),
  ),
  model_version: Type.Optional(
    parameter(`a version of at most ${MAX_TEXT_LENGTH} characters`, isVersion, {
      minLength: 1,
      maxLength: MAX_TEXT_LENGTH,
      description: `Only checks that this version of the models classified. ${PAGE_LIMIT_NOTE}`,
      examples: ['2026.01'],
    }),
  ),
  domain: Type.Optional(
    parameter('a domain such as example.com', (text) => domainKey(text) !== null, {
      description: 'Only checks of this host or of hosts below it',
      examples: ['example.com'],
    }),
  ),
  q: Type.Optional(
    parameter(`a text of at most ${MAX_TEXT_LENGTH} characters`, (text) => text.length <= MAX_TEXT_LENGTH, {
      maxLength: MAX_TEXT_LENGTH,
      description: `Only URLs with this text in their host or path, case-insensitive. ${PAGE_LIMIT_NOTE}`,
      examples: ['verify-account'],
    }),
  ),
  from: Type.Optional(
    parameter(INSTANT, (text) => parseInstant(text) !== null, {
      description: 'Start of the range, included: an ISO 8601 time or date (UTC)',
      examples: ['2026-01-31'],
    }),
  ),
  until: Type.Optional(
    parameter(INSTANT, (text) => parseInstant(text) !== null, {
      description: 'End of the range, excluded',
      examples: ['2026-01-31T12:00:00Z'],
    }),
  ),
};

/** The parameters of the history. Others are refused before it is read. */
export const HistoryQuerySchema = Type.Object(
  { ...PAGE_PARAMETERS, ...WALK, ...FILTERS },
  { additionalProperties: true },
);

/** The same without walking forward. */
export const PageQuerySchema = Type.Object({ ...PAGE_PARAMETERS, ...FILTERS }, { additionalProperties: true });

/** The parameters of its summary. */
export const HistoryFilterSchema = Type.Object(FILTERS, { additionalProperties: true });

type HistoryParameters = Static<typeof HistoryQuerySchema>;

/** Converts the parameters to a query of the log; null for each that is absent. */
export function historyQuery(query: Static<typeof PageQuerySchema>): HistoryQuery {
  const { limit = DEFAULT_LIMIT, cursor = null } = query;
  return { limit, cursor, ...searchFilter(query) };
}

/** The same for a walk from a place on. */
export function historyWalk(after: string, query: HistoryParameters): HistoryWalk {
  const { limit = DEFAULT_LIMIT } = query;
  return { limit, after, ...searchFilter(query) };
}

/** Returns how long a request at the end of the walk waits for new checks, in milliseconds. */
export function waitIn({ wait = DEFAULT_WAIT_SECONDS }: HistoryParameters): number {
  return wait * 1000;
}

/** The same without a page. */
export function searchFilter(query: Static<typeof HistoryFilterSchema>): SearchFilter {
  const { decision = null, domain = null, q: text = null, coverage = null, caution, from, until } = query;
  const { model_version: modelVersion = null, via = null, list = null, entry = null, reason = null } = query;
  const momentOf = (moment: string | undefined) => (moment === undefined ? null : parseInstant(moment));
  return {
    ...{ decision, domain, text, coverage, modelVersion, via, list, entry, reason },
    caution: caution === undefined ? null : caution === 'true',
    fromMs: momentOf(from),
    untilMs: momentOf(until),
  };
}

type Parameters = Static<typeof HistoryQuerySchema>;

/** Parameters that apply to the checks of messages, which name no host. `wait` is in every query, by its default. */
const APPLICABLE: readonly string[] = [
  'kind',
  'limit',
  'cursor',
  'decision',
  'from',
  'until',
  'wait',
] satisfies (keyof Parameters)[];

/** Reads the page of the checks of messages that parameters ask for. Throws ProblemError 400, BadCursorError. */
export async function readMessages<Page>(
  read: (query: MessagePageQuery) => Promise<Page>,
  parameters: Parameters,
): Promise<Page> {
  const others = Object.keys(parameters).filter((name) => !APPLICABLE.includes(name));
  const faults = others.map((field) => ({ field, message: 'applies to checks of URLs only' }));
  if (faults.length > 0)
    throw new ProblemError(badFields(faults.map((one) => ({ ...one, code: 'invalid_parameter' }))));
  const { limit, cursor, decision, fromMs, untilMs } = historyQuery(parameters);
  return await read({ limit, cursor, decision, fromMs, untilMs });
}
