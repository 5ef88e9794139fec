import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { endOfDay } from '#src/core/base/end-of-day.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { acceptFeedback } from '#src/admin/feedback/accept-feedback.ts';
import { appendAudit, audited } from '#src/admin/audit/audit-log.ts';
import {
  type FeedbackQueue,
  hasFeedback,
  type KeptFeedback,
  openFeedback,
} from '#src/checks/store/feedback/feedback-queue.ts';
import { FEEDBACK_STATES } from '#src/checks/store/feedback/feedback-schema.ts';
import { type Command, choice, type Invocation, UsageError } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';
import { feedbackAsJson, feedbackAsText } from '../feedback/feedback-text.ts';
import type { Io } from '#src/core/base/io.ts';
import { limitOf } from '../log/log-request.ts';
import { tellActive } from '../report-activation.ts';

/** How feedback is written. */
const FEEDBACK_FORMATS = ['text', 'json'] as const;

const SHOWN_STATES = [...FEEDBACK_STATES, 'all'] as const;

/** How much is shown where nobody says. */
const USUAL_LIMIT = 100;

/** How long an entry holds where nobody says. */
const USUAL_DAYS = 90;

/** `lurecheck feedback` */
export const feedbackCommand: Command<'feedback'> = {
  name: 'feedback',
  operands: 'list | accept ID… | reject ID…',
  summary: 'shows what people said of verdicts, and makes entries of lists of it, or not',
  options: {
    state: { type: 'string', words: SHOWN_STATES, description: 'Which to list. Default: waiting.' },
    limit: { type: 'string', value: 'N', description: `The newest N alone. Default: ${USUAL_LIMIT}.` },
    entry: {
      type: 'string',
      value: 'ENTRY',
      description:
        'What accept lists: a host, a URL or what lists take else. Default: the URL of the feedback and below, by any query.',
    },
    expires: {
      type: 'string',
      value: 'DAY',
      description: `The last day on which the entry holds, in UTC: 2027-12-31, or never. Default: in ${USUAL_DAYS} days.`,
    },
    format: { type: 'string', words: FEEDBACK_FORMATS, description: 'How to write the list. Default: text.' },
  },
  examples: [
    { line: 'lurecheck feedback list', purpose: 'What waits, the newest first.' },
    { line: 'lurecheck feedback accept 12 --entry evil.example', purpose: 'Block, or allow, a host for 90 days.' },
    { line: 'lurecheck feedback reject 13 14', purpose: 'Leave everything as it is.' },
  ],
  changes: ['accept', 'reject'],
  async run(invocation, io) {
    const [action, ...ids] = invocation.positionals;
    if (action === 'list') {
      if (ids.length > 0) throw new UsageError(`feedback list takes no id, and "${ids[0]}" is one`);
      return await list(invocation, io);
    }
    if (action !== 'accept' && action !== 'reject') {
      throw new UsageError(
        `write feedback list, feedback accept ID or feedback reject ID${action ? `, not "${action}"` : ''}`,
      );
    }
    if (ids.length === 0) throw new UsageError(`feedback ${action} takes ids, as feedback list shows them`);
    const wanted = ids.map(idOf);
    if (action === 'reject')
      return await settleEach(invocation, wanted, io, async (queue, given) =>
        audited(
          invocation.config.data_dir,
          invocation.actor,
          { action: 'feedback.reject', subject: String(given.id) },
          () => rejectOne(queue, given),
        ),
      );
    const options = { entry: entryIn(invocation, wanted), expiresAtMs: expiryIn(invocation) };
    const { data_dir: dataDir } = invocation.config;
    let isListed = false;
    const code = await settleEach(invocation, wanted, io, async (queue, given) => {
      const what = { action: 'feedback.accept', subject: String(given.id), detail: { entry: options.entry } };
      const accepted = await audited(dataDir, invocation.actor, what, () =>
        acceptFeedback(queue, dataDir, given, options),
      );
      if ('problem' in accepted) {
        appendAudit(dataDir, invocation.actor, { ...what, action: 'feedback.accept.failed' });
        return { problem: accepted.problem };
      }
      isListed = true;
      const until = options.expiresAtMs === null ? '' : ` until ${lastDayBefore(options.expiresAtMs)}`;
      return { said: `${accepted.entry} is on the list ${accepted.list}${until}` };
    });
    const standing = isListed ? await tellActive('the lists are changed', dataDir, 'lists', io) : 0;
    return code === 0 ? standing : code;
  },
};

type FeedbackInvocation = Parameters<typeof feedbackCommand.run>[0];

/** What became of one, or why nothing did. */
type Settled = { readonly said: string } | { readonly problem: string };

async function list(invocation: FeedbackInvocation, io: Io): Promise<ExitCode> {
  const shown = choice(invocation, 'state', SHOWN_STATES) ?? 'waiting';
  const format = choice(invocation, 'format', FEEDBACK_FORMATS) ?? 'text';
  using queue = openIfThere(invocation.config.data_dir);
  const found = queue?.newest(shown === 'all' ? null : shown, limitOf(invocation) ?? USUAL_LIMIT) ?? [];
  const counts = queue?.counts() ?? { waiting: 0, accepted: 0, rejected: 0 };
  await io.stdout.write(format === 'json' ? feedbackAsJson(found) : feedbackAsText(found, counts));
  return 0;
}

async function settleEach(
  invocation: FeedbackInvocation,
  ids: readonly number[],
  io: Io,
  settle: (queue: FeedbackQueue, given: KeptFeedback) => Promise<Settled>,
): Promise<ExitCode> {
  using queue = openIfThere(invocation.config.data_dir);
  let code: ExitCode = 0;
  for (const id of ids) {
    const given = queue?.find(id) ?? null;
    const settled = queue && given?.state === 'waiting' ? await settle(queue, given) : { problem: notWaiting(given) };
    const text = 'said' in settled ? settled.said : settled.problem;
    await ('said' in settled ? io.stdout : io.stderr).write(
      `${'said' in settled ? '' : 'lurecheck: '}${id}: ${visibleInTerminal(text)}\n`,
    );
    if ('problem' in settled) code = 1;
  }
  return code;
}

async function rejectOne(queue: FeedbackQueue, { id }: KeptFeedback): Promise<Settled> {
  return queue.settle(id, 'rejected', null) ? { said: 'rejected' } : { problem: 'was settled meanwhile' };
}

function notWaiting(given: KeptFeedback | null): string {
  return given === null ? 'there is no such feedback; see lurecheck feedback list' : `was ${given.state} before`;
}

function openIfThere(dataDir: string): FeedbackQueue | null {
  return hasFeedback(dataDir) ? openFeedback({ dataDir, now: systemClock.now }) : null;
}

function idOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`"${text}" is no id of feedback; see lurecheck feedback list`);
  return Number(text);
}

function entryIn(invocation: Pick<Invocation, 'text'>, ids: readonly number[]): string | null {
  const entry = invocation.text('entry') ?? null;
  if (entry !== null && ids.length > 1) throw new UsageError('--entry is for one id');
  return entry;
}

function expiryIn(invocation: Pick<Invocation, 'text'>): number | null {
  const text = invocation.text('expires');
  if (text === 'never') return null;
  if (text === undefined) return systemClock.now() + USUAL_DAYS * DAY_MS;
  const end = endOfDay(text);
  if (end === null || Date.parse(end) <= systemClock.now()) {
    throw new UsageError(`--expires takes a day to come, such as 2027-12-31, or never, not "${text}"`);
  }
  return Date.parse(end);
}

function lastDayBefore(ms: number): string {
  return new Date(ms - 1).toISOString().slice(0, 10);
}
