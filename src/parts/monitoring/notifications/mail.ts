import { existsSync } from 'node:fs';
import type { LogFields } from '#src/core/base/logger.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { Notification, NotificationType } from './notification.ts';

/** A mail about one or several notifications. */
export interface MailParts {
  readonly to: readonly string[];
  /** Name of this host or node. */
  readonly source: string;
  /** Returns the path of sendmail(8), which every mail server for Unix provides; null if the host has none now. */
  readonly sendmail: () => string | null;
}

/** Paths of sendmail, in order of preference (FHS 3.0, section 4.10). */
const PLACES = ['/usr/sbin/sendmail', '/usr/lib/sendmail', '/usr/bin/sendmail'];

/** Path of the host's sendmail; null without one. */
export const findSendmail = (): string | null => PLACES.find((path) => existsSync(path)) ?? null;

/** Time for sendmail to take a mail into its queue, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** The environment of sendmail: that of the service may hold its secrets. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

/** Hands a mail to sendmail. Throws an Error with what sendmail printed if it does not take it. */
export async function sendMail(batch: readonly Notification[], parts: MailParts, stopping: AbortSignal): Promise<void> {
  const sendmail = parts.sendmail();
  if (sendmail === null) throw new Error('this host has no sendmail');
  const child = Bun.spawn([sendmail, '-i', '--', ...parts.to], {
    env: ENVIRONMENT,
    stdin: new Blob([writeMail(batch, parts)]),
    stdout: 'ignore',
    stderr: 'pipe',
    signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
    killSignal: 'SIGKILL',
  });
  const [said, code] = await Promise.all([child.stderr.text(), child.exited]);
  if (code === 0) return;
  const why = visibleInTerminal(said.trim().split('\n')[0] ?? '').slice(0, 200);
  throw new Error(child.signalCode === null ? `sendmail ended with ${code}: ${why}` : 'sendmail did not end in time');
}

/** Longest line of a mail, in characters, of the 998 bytes that RFC 5322 allows: each may take three bytes. */
const LINE_CHARACTERS = 320;

/** A mail in plain text. Its headers hold nothing that came from outside. */
export function writeMail(batch: readonly Notification[], { to, source }: MailParts): string {
  const header = [
    `To: ${to.join(',\n ')}`,
    `Subject: lurecheck on ${source.replace(/[^\w.-]/g, '')}: ${subjectOf(batch)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    // RFC 3834: no answer is wanted, not even from a person who is on holiday.
    'Auto-Submitted: auto-generated',
  ];
  return `${[...header, '', ...batch.map(lineOf)].join('\n')}\n`;
}

const WORDS: Readonly<Record<NotificationType, string>> = {
  'check.blocked': 'blocked check',
  'feedback.received': 'feedback report',
  'alert.raised': 'alert',
  'alert.cleared': 'cleared alert',
};

function subjectOf(batch: readonly Notification[]): string {
  const counts = Map.groupBy(batch, ({ type }) => type);
  return [...counts].map(([type, those]) => counted(those.length, WORDS[type])).join(', ');
}

function lineOf({ type, atMs, data }: Notification): string {
  return folded(visibleInTerminal(`${new Date(atMs).toISOString()}  ${WORDS[type]}: ${textOf(type, data)}`));
}

/** Breaks a line that servers would refuse. */
const folded = (line: string): string =>
  line.replace(new RegExp(`.{${LINE_CHARACTERS}}(?=.)`, 'gu'), (part) => `${part}\n    `);

/** Longest URL in a mail, in characters; the log has the rest of it. */
const URL_CHARACTERS = 300;

/** A link in a mail must not be one click away: it is defanged. */
function textOf(type: NotificationType, data: LogFields): string {
  if (type === 'alert.raised') return String(data['message']);
  if (type === 'alert.cleared') return String(data['code']);
  const what = data['url'] === undefined ? 'a private check' : shortened(defang(String(data['url'])));
  const id = data['request_id'] === null ? '' : ` (${data['request_id']})`;
  return type === 'feedback.received' ? `${what}${id} is reported as ${data['verdict']}` : `${what}${id}`;
}

const shortened = (url: string): string => (url.length <= URL_CHARACTERS ? url : `${url.slice(0, URL_CHARACTERS)}…`);

const defang = (url: string): string => url.replace(/^http/, 'hxxp').replaceAll('.', '[.]');
