import { systemClock } from '#src/base/clock.ts';
import { EVERY_CHECK } from '#src/store/read/find-checks.ts';
import type { LogEntry } from '#src/store/read/read-log.ts';
import { openScanLog, type ScanLog } from '#src/store/scan-log.ts';
import { batchOutput } from '../batched-output.ts';
import { createFormatter, FORMATS } from '../check/check-format.ts';
import { wantsColour } from '../colour.ts';
import { type Command, choice, type Invocation, UsageError } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';

/** `lurecheck log` */
export const logCommand: Command<'log'> = {
  name: 'log',
  operands: '',
  summary: 'reads the log of public checks, or of private ones, newest first',
  options: {
    private: { type: 'boolean', description: 'Read the private log.' },
    id: { type: 'string', value: 'REQUEST_ID', description: 'The one check with this id.' },
    domain: { type: 'string', value: 'DOMAIN', description: 'Checks of hosts that end in this domain.' },
    from: {
      type: 'string',
      value: 'TIME',
      description: 'Checks from this time on: 2026-01-31 or 2026-01-31T12:00:00Z.',
    },
    until: { type: 'string', value: 'TIME', description: 'Checks before this time.' },
    format: { type: 'string', words: FORMATS, description: 'How to write them. Default: text.' },
  },
  examples: [
    {
      line: 'lurecheck log --domain example.com --from 2026-01-01',
      purpose: 'What was checked of a domain this year.',
    },
    {
      line: 'lurecheck log --private --id 019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b --format json',
      purpose: 'One private check, whole.',
    },
  ],
  async run(invocation, io) {
    const format = choice(invocation, 'format', FORMATS) ?? 'text';
    const logger = diagnosticsOf(invocation, io);
    const dataDir = invocation.config.data_dir;
    await using log = await openScanLog({ dataDir, access: 'read', clock: systemClock, logger });
    for (const notice of invocation.isQuiet ? [] : log.notices()) await io.stderr.write(`lurecheck: ${notice}\n`);
    const formatter = createFormatter(format, wantsColour(io, invocation.color));
    const output = batchOutput(io.stdout);
    const id = invocation.text('id');
    let count = 0;
    for (const { result, isDelivered } of entriesOf(log, invocation)) {
      count++;
      const note = isDelivered ? '' : '  not delivered';
      const heading = format === 'text' ? `${result.timestamp}  ${result.request_id}${note}\n` : '';
      // Beside the members of the answer that went out to nobody.
      const shown = isDelivered ? result : { ...result, not_delivered: true };
      await output.write(heading + formatter.next({ result: shown }));
    }
    await output.write(formatter.end());
    await output.flush();
    if (id === undefined || count > 0) return 0;
    await io.stderr.write(`lurecheck: the log has no check with the id ${id}\n`);
    return 1;
  },
};

function entriesOf(log: ScanLog, invocation: Invocation): Iterable<LogEntry> {
  const visibility = invocation.flag('private') ? 'private' : 'public';
  const id = invocation.text('id');
  if (id !== undefined) {
    const entry = log.find(visibility, id);
    return entry ? [entry] : [];
  }
  return log.read(visibility, {
    ...EVERY_CHECK,
    domain: invocation.text('domain') ?? null,
    fromMs: timeOf(invocation, 'from'),
    untilMs: timeOf(invocation, 'until'),
  });
}

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

function timeOf(invocation: Invocation, option: 'from' | 'until'): number | null {
  const text = invocation.text(option);
  if (text === undefined) return null;
  const timeMs = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(timeMs)) throw new UsageError(`--${option} takes 2026-01-31 or 2026-01-31T12:00:00Z, not "${text}"`);
  return timeMs;
}
