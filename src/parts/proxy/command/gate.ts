import { type Command, UsageError } from '#src/interfaces/cli/command.ts';
import { gateReport } from './report.ts';
import { testAtGate } from './test-url.ts';

/** `lurecheck gate` */
export const gateCommand: Command<'gate'> = {
  name: 'gate',
  operands: 'report | test URL',
  summary: 'show what the gate of a web proxy holds, and why',
  options: {
    since: { type: 'string', value: 'TIME', description: 'Report from this time on. Default: since watching began.' },
    connect: { type: 'boolean', description: 'Test as a tunnel of https, of which a proxy knows the host only.' },
    json: { type: 'boolean', description: 'Print JSON.' },
  },
  examples: [
    { line: 'lurecheck gate report', purpose: 'Show the hosts that were held, or would have been, latest first.' },
    { line: 'lurecheck gate test https://partner.example/login', purpose: 'Show which rule applies to a link.' },
  ],
  async run(invocation, io) {
    const [action, url, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`gate ${action} takes no further operand: unexpected "${extra}"`);
    if (action === 'report' && url === undefined) return await gateReport(invocation, io);
    if (action === 'test' && url !== undefined) return await testAtGate(invocation, io, url);
    throw new UsageError('expected gate report or gate test URL');
  },
};
