import type { Reply } from '../soak/ask.ts';
import { isAdmitted, isFailed } from './fleet-clients.ts';

/** Something that happens to a fleet, from a moment on. */
export interface Phase {
  readonly name: string;
  readonly fromMs: number;
}

/** What clients were told while each thing happened, as a table in Markdown. */
export function fleetTable(phases: readonly Phase[], replies: readonly Reply[], untilMs: number): string {
  const rows = phases.map(({ name, fromMs }, at) => {
    const toMs = phases[at + 1]?.fromMs ?? untilMs;
    const sent = replies.filter(({ sentMs }) => fromMs <= sentMs && sentMs < toMs);
    const waits = sent.map(({ sentMs, endedMs }) => endedMs - sentMs).toSorted((a, b) => a - b);
    const refused = sent.filter((reply) => reply.kind === 'answered' && reply.status === 429).length;
    const [half, longest] = [waits[Math.floor(waits.length / 2)] ?? 0, waits.at(-1) ?? 0];
    return [
      name,
      ((toMs - fromMs) / 1000).toFixed(1),
      sent.filter(isAdmitted).length,
      refused,
      sent.filter((reply) => reply.kind === 'answered' && isFailed(reply)).length,
      sent.filter(({ kind }) => kind !== 'answered').length,
      `${half.toFixed(0)} / ${longest.toFixed(0)}`,
    ];
  });
  const headings = ['what happens', 'seconds', '200', '429', 'other', 'cut', 'median / longest ms'];
  return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
