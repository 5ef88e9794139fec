import { perform } from '#src/admin/audit/act.ts';
import type { FeedbackRow, FeedbackState } from '#src/checks/store/feedback/feedback-queue.ts';
import { FEEDBACK_STATES } from '#src/checks/store/feedback/feedback-schema.ts';
import { DAY_MS, endOfDay, isoTime, systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Command, choice, type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import { commandPlace } from '#src/interfaces/cli/command-place.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { limitOf } from '#src/interfaces/cli/log/log-request.ts';
import { reportActivation } from '#src/interfaces/cli/report-activation.ts';
import { indentedJson, REPORT_FORMAT, wantsJson } from '#src/interfaces/cli/report-format.ts';
import { openFeedbackReview, shareFeedback } from '#src/parts/fleet/feedback.ts';
import { ACCEPT_FEEDBACK, REJECT_FEEDBACK, type ReviewPlace } from '#src/parts/tuning/feedback/feedback-acts.ts';

/** Enough of a hash to see that two are of one client. */
const SHOWN_HASH = 12;

/** Formats feedback for a terminal, latest first, with the count of each state. */
function feedbackAsText(found: readonly FeedbackRow[], counts: Readonly<Record<FeedbackState, number>>): string {
  const lines = found.map((one) => {
    const { id, receivedAtMs, verdict, decision, probability, state, comment, entry } = one;
    const was = decision === null ? '' : `  was ${decision}, ${((probability ?? 0) * 100).toFixed(1)} %`;
    const settled = state === 'waiting' ? '' : `  ${state}${entry === null ? '' : ` as ${visibleInTerminal(entry)}`}`;
    const said = comment === '' ? '' : `    “${visibleInTerminal(comment)}”\n`;
    return `${id}  ${isoTime(receivedAtMs)}  ${verdict}  ${visibleInTerminal(one.url)}${was}  client ${clientOf(one)}${settled}\n${said}`;
  });
  const { waiting, accepted, rejected } = counts;
  return `${lines.join('')}${waiting} waiting, ${accepted} accepted, ${rejected} rejected\n`;
}

/** The same for machines. */
function feedbackRow(one: FeedbackRow) {
  return {
    id: one.id,
    received_at: isoTime(one.receivedAtMs),
    verdict: one.verdict,
    url: one.url,
    request_id: one.requestId,
    decision: one.decision,
    malicious_probability: one.probability,
    model_version: one.modelVersion,
    comment: one.comment,
    client_hash: one.clientHash.toString('hex'),
    state: one.state,
    settled_at: one.settledAtMs === null ? null : isoTime(one.settledAtMs),
    entry: one.entry,
  };
}

function clientOf({ clientHash }: FeedbackRow): string {
  return clientHash.toString('hex').slice(0, SHOWN_HASH);
}

const SHOWN_STATES = [...FEEDBACK_STATES, 'all'] as const;

/** Entries shown without --limit. */
const DEFAULT_LIMIT = 100;

/** Validity of an entry without --expires, in days. */
const DEFAULT_DAYS = 90;

/** `lurecheck feedback` */
export const feedbackCommand: Command<'feedback'> = {
  name: 'feedback',
  operands: 'list | accept ID… | reject ID…',
  summary: 'review feedback on verdicts: list, accept, reject',
  options: {
    state: { type: 'string', words: SHOWN_STATES, description: 'State of the feedback to list. Default: waiting.' },
    limit: { type: 'string', value: 'N', description: `The latest N only. Default: ${DEFAULT_LIMIT}.` },
    entry: {
      type: 'string',
      value: 'ENTRY',
      description:
        'Entry that accept adds: a host, a URL or any other entry of a list. Default: the URL of the feedback and below, with any query.',
    },
    expires: {
      type: 'string',
      value: 'DAY',
      description: `Last day on which the entry is valid, in UTC: 2027-12-31, or never. Default: in ${DEFAULT_DAYS} days.`,
    },
    format: REPORT_FORMAT,
  },
  examples: [
    { line: 'lurecheck feedback list', purpose: 'List waiting feedback, latest first.' },
    { line: 'lurecheck feedback accept 12 --entry evil.example', purpose: 'Block or allow a host for 90 days.' },
    { line: 'lurecheck feedback reject 13 14', purpose: 'Reject it.' },
  ],
  changes: ['accept', 'reject'],
  shares: ['lists'],
  async run(invocation, io) {
    const [action, ...ids] = invocation.positionals;
    if (action === 'list') {
      if (ids.length > 0) throw new UsageError(`feedback list takes no id: unexpected "${ids[0]}"`);
      return await list(invocation, io);
    }
    if (action !== 'accept' && action !== 'reject') {
      throw new UsageError(
        `expected feedback list, feedback accept ID or feedback reject ID${action ? `, not "${action}"` : ''}`,
      );
    }
    if (ids.length === 0) throw new UsageError(`feedback ${action} requires ids, as printed by feedback list`);
    const wanted = ids.map(idOf);
    if (action === 'reject') {
      return await settleEach(invocation, wanted, io, async (place, { id }) =>
        (await perform(REJECT_FEEDBACK, place, invocation.actor, id))
          ? { said: 'rejected' }
          : { problem: 'was accepted or rejected in the meantime' },
      );
    }
    const acceptance = { entry: entryIn(invocation, wanted), expiresAtMs: expiryIn(invocation) };
    let isListed = false;
    const code = await settleEach(invocation, wanted, io, async (place, row) => {
      try {
        const accepted = await perform(ACCEPT_FEEDBACK, place, invocation.actor, { row, ...acceptance });
        isListed = true;
        const until = acceptance.expiresAtMs === null ? '' : ` until ${lastDayBefore(acceptance.expiresAtMs)}`;
        return { said: `${accepted.entry} added to the list ${accepted.list}${until}` };
      } catch (error) {
        if (error instanceof OperationError && error.errorCode === 'feedback_refused')
          return { problem: error.message };
        throw error;
      }
    });
    const { data_dir: dataDir } = invocation.config;
    const standing = isListed ? await reportActivation('the lists are changed', dataDir, 'lists', io) : 0;
    return code === 0 ? standing : code;
  },
};

type FeedbackInvocation = Parameters<typeof feedbackCommand.run>[0];

/** The outcome for one feedback. */
type Settled = { readonly said: string } | { readonly problem: string };

async function list(invocation: FeedbackInvocation, io: Io): Promise<ExitCode> {
  const shown = choice(invocation, 'state', SHOWN_STATES) ?? 'waiting';
  const isJson = wantsJson(invocation);
  await shareFeedback(invocation.config);
  await using review = await openFeedbackReview(invocation.config);
  const found = (await review?.newest(shown === 'all' ? null : shown, limitOf(invocation) ?? DEFAULT_LIMIT)) ?? [];
  const counts = (await review?.counts()) ?? { waiting: 0, accepted: 0, rejected: 0 };
  await io.stdout.write(isJson ? indentedJson(found.map(feedbackRow)) : feedbackAsText(found, counts));
  return 0;
}

async function settleEach(
  invocation: FeedbackInvocation,
  ids: readonly number[],
  io: Io,
  settle: (place: ReviewPlace, row: FeedbackRow) => Promise<Settled>,
): Promise<ExitCode> {
  await shareFeedback(invocation.config);
  await using review = await openFeedbackReview(invocation.config);
  let code: ExitCode = 0;
  for (const id of ids) {
    const row = (await review?.find(id)) ?? null;
    const settled =
      review && row?.state === 'waiting'
        ? await settle({ ...commandPlace(invocation), reviewing: (work) => work(review) }, row)
        : { problem: notWaiting(row) };
    const text = 'said' in settled ? settled.said : settled.problem;
    await ('said' in settled ? io.stdout : io.stderr).write(
      `${'said' in settled ? '' : 'lurecheck: '}${id}: ${visibleInTerminal(text)}\n`,
    );
    if ('problem' in settled) code = 1;
  }
  return code;
}

function notWaiting(row: FeedbackRow | null): string {
  return row === null ? 'feedback not found; see lurecheck feedback list' : `already ${row.state}`;
}

function idOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`"${text}" is not a feedback id; see lurecheck feedback list`);
  return Number(text);
}

function entryIn(invocation: Pick<Invocation, 'text'>, ids: readonly number[]): string | null {
  const entry = invocation.text('entry') ?? null;
  if (entry !== null && ids.length > 1) throw new UsageError('--entry requires exactly one id');
  return entry;
}

function expiryIn(invocation: Pick<Invocation, 'text'>): number | null {
  const text = invocation.text('expires');
  if (text === 'never') return null;
  if (text === undefined) return systemClock.now() + DEFAULT_DAYS * DAY_MS;
  const end = endOfDay(text);
  if (end === null || Date.parse(end) <= systemClock.now()) {
    throw new UsageError(`--expires must be a future day, such as 2027-12-31, or never, not "${text}"`);
  }
  return Date.parse(end);
}

function lastDayBefore(ms: number): string {
  return new Date(ms - 1).toISOString().slice(0, 10);
}
