import type { AttachmentRisk } from '#src/engine/message/attachment-risk.ts';
import { linksAnalyzer, trustAnalyzer } from './links-analyzer.ts';
import { lureAnalyzer } from './lure-analyzer.ts';
import { type MessageAnalyzer, signal } from './message-analyzer.ts';
import { MESSAGE_COMPONENTS, type MessageComponent } from './message-components.ts';
import { schemeAnalyzer } from './scheme-analyzer.ts';
import { senderAnalyzer } from './sender-analyzer.ts';

const AUTHENTICATION_FEATURES = ['authentication.failed', 'authentication.missing'] as const;

/** Classifies what servers stated of the sender. Lists and forwarders break it; a mail without results is unknown. */
const authenticationAnalyzer: MessageAnalyzer<'authentication', (typeof AUTHENTICATION_FEATURES)[number]> = {
  component: 'authentication',
  features: AUTHENTICATION_FEATURES,
  analyze({ confirmation, sender, isRelayed }) {
    if (sender === null || isRelayed) return [];
    const { site } = sender;
    if (confirmation.state === 'failed')
      return signal('authentication.failed', 1, { site, method: confirmation.method });
    return signal('authentication.missing', MISSING[confirmation.state], { site });
  },
};

/** Share of the signal in each state. */
const MISSING = { passed: 0, unknown: 0, service: 0.1, other: 0.3, missing: 1 } as const;

const ATTACHMENT_FEATURES = ['attachments.dangerous', 'attachments.page'] as const;

/** Share of each risk. Documents with code are sent by honest people as well. */
const RISKS: Readonly<Record<AttachmentRisk, number>> = { disguised: 1, program: 0.8, disk: 0.8, macros: 0.4, page: 0 };

/** Share of an attached page without a form: saved pages and reports are sent as such. */
const WITHOUT_FORM = 0.4;

/** Classifies what opening the attachments does. */
const attachmentsAnalyzer: MessageAnalyzer<'attachments', (typeof ATTACHMENT_FEATURES)[number]> = {
  component: 'attachments',
  features: ATTACHMENT_FEATURES,
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

const ANALYZERS: { readonly [Component in MessageComponent]: MessageAnalyzer<Component> } = {
  sender: senderAnalyzer,
  authentication: authenticationAnalyzer,
  lure: lureAnalyzer,
  scheme: schemeAnalyzer,
  links: linksAnalyzer,
  attachments: attachmentsAnalyzer,
  trust: trustAnalyzer,
};

/** Analyzers of a message, in the order of their components. */
export const MESSAGE_ANALYZERS = MESSAGE_COMPONENTS.map((component) => ANALYZERS[component]);

/** Names of all features of a message, which its model must weigh. */
export const MESSAGE_FEATURES: readonly string[] = MESSAGE_ANALYZERS.flatMap(({ features }) => [...features]);
