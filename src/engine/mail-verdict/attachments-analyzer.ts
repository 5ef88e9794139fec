import type { AttachmentRisk } from '#src/engine/message/attachment-risk.ts';
import { type MessageAnalyzer, signal } from './message-analyzer.ts';

const FEATURES = ['attachments.dangerous', 'attachments.page'] as const;

/** Share of each risk. Documents with code are sent by honest people as well. */
const RISKS: Readonly<Record<AttachmentRisk, number>> = { disguised: 1, program: 0.8, disk: 0.8, macros: 0.4, page: 0 };

/** Share of an attached page without a form: saved pages and reports are sent as such. */
const WITHOUT_FORM = 0.4;

/** Classifies what opening the attachments does. */
export const attachmentsAnalyzer: MessageAnalyzer<'attachments', (typeof FEATURES)[number]> = {
  component: 'attachments',
  features: FEATURES,
  analyze({ message: { attachments, links }, isConversation }) {
    const risky = attachments
      .flatMap(({ name, risk }) => (risk === null ? [] : { name, value: RISKS[risk] }))
      .toSorted((a, b) => b.value - a.value)[0];
    const page = attachments.find(({ risk }) => risk === 'page');
    const hasForm = links.some(({ file, role }) => file !== undefined && role === 'form');
    const share = isConversation ? 0.5 : 1;
    return [
      ...(risky ? signal('attachments.dangerous', risky.value * share, { name: shortName(risky.name) }) : []),
      ...(page ? signal('attachments.page', (hasForm ? 1 : WITHOUT_FORM) * share, { name: shortName(page.name) }) : []),
    ];
  },
};

function shortName(name: string): string {
  return name.length > 80 ? `…${name.slice(-80)}` : name;
}
