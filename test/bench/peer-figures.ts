import { type Static, Type } from '@sinclair/typebox';
import { BenchReportSchema, SpreadSchema } from './report.ts';
import { describeRun, spreadText, tableOf } from './table.ts';

/** Cost of the services that a user could pick instead, as `bun run bench --peers` writes it. */
export const PeerReportSchema = Type.Composite([
  Type.Omit(BenchReportSchema, ['figures']),
  Type.Object({
    rows: Type.Array(
      Type.Object({
        name: Type.String(),
        /** Input, result and its log. */
        does: Type.String(),
        perSecond: SpreadSchema,
        /** Processor time of all threads and processes per check. */
        micros: SpreadSchema,
      }),
    ),
  }),
]);

/** @see PeerReportSchema */
export type PeerReport = Static<typeof PeerReportSchema>;

/** Returns the figures as Markdown. */
export function peerTable({ rows, ...report }: PeerReport): string {
  const cells = rows.map(({ name, does, perSecond, micros }) => {
    return [name, does, spreadText(perSecond), `${spreadText(micros)} µs`];
  });
  return [
    ...tableOf(['service', 'what it does', 'checks/s', 'processor time per check'], cells),
    '',
    'Only speed is compared, not quality: the model of the FastAPI service is fitted on a few synthetic URLs, and the npm',
    'package has the list of the day of its release. The load generator shares the cores.',
    describeRun(report),
  ].join('\n');
}
