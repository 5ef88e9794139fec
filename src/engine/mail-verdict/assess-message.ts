import { logOddsOf } from '#src/core/base/log-odds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { LURE_TOPICS, type LureTopic, type Scheme } from '#src/core/knowledge/mail/mail-phrases.ts';
import type { Evidence } from '#src/engine/analyzers/analyzer.ts';
import { type Decision, decide, fuse, type Thresholds, type Verdict } from '#src/engine/fusion/fuse.ts';
import { type FusionModel, loadFusionModel } from '#src/engine/fusion/model.ts';
import type { AttachmentRisk } from '#src/engine/message/part-kind.ts';
import messageJson from '#src/engine/models/message.json' with { type: 'json' };
import { linksAnalyzer, trustAnalyzer } from './links-analyzer.ts';
import { mailSubject } from './mail-subject.ts';
import { type MessageAnalyzer, signal } from './message-analyzer.ts';
import { MESSAGE_COMPONENTS, type MessageComponent } from './message-components.ts';
import { schemeAnalyzer } from './scheme-analyzer.ts';
import { senderAnalyzer } from './sender-analyzer.ts';
import type { WeighedLink, WeighedMessage } from './weighed-message.ts';

const TOPICS = [
  'lure.account',
  'lure.mailbox',
  'lure.parcel',
  'lure.payment',
  'lure.document',
  'lure.prize',
  'lure.wallet',
  'lure.money',
  'lure.advert',
  'lure.callback',
  'lure.urgency',
  'lure.secret',
] as const;

const FEATURES = [...TOPICS, 'lure.disguised'] as const;

/** Share of a lure that only the text has: honest texts name many things, and subjects what they are about. */
const IN_TEXT = 0.6;

/** Share of a lure within a conversation, which quotes others. */
const IN_CONVERSATION = 0.5;

/** Share of a lure in a mail of which no server stated anything: old and saved ones, whose words are those of their time. */
const UNKNOWN = 0.5;

/** Share of a lure in a mail that leads to the site of its confirmed sender, or through its mail service. */
const OF_FIRM = 0.8;

/** Schemes that contain all of what a lure says. */
const CONTAINED_IN: Readonly<Partial<Record<LureTopic, readonly Scheme[]>>> = {
  money: ['funds', 'loan', 'gift_cards', 'errand', 'approach'],
  wallet: ['extortion'],
  callback: ['callback'],
};

/** Longest quotation, in UTF-16 code units. */
const MAX_WORDS = 60;

/** Classifies what a message wants of its reader. */
const lureAnalyzer: MessageAnalyzer<'lure', (typeof FEATURES)[number]> = {
  component: 'lure',
  features: FEATURES,
  analyze({ headLures, textLures, schemes, isConversation, message, confirmation, isStated, sender, hasOwnLinks }) {
    const isUnknown = sender !== null && confirmation.state === 'unknown';
    const isFirm = hasOwnLinks && isStated;
    const share = (isConversation ? IN_CONVERSATION : 1) * (isUnknown ? UNKNOWN : isFirm ? OF_FIRM : 1);
    const lures = LURE_TOPICS.flatMap((topic) => {
      const inHead = headLures.get(topic);
      const words = inHead ?? textLures.get(topic);
      if (words === undefined || CONTAINED_IN[topic]?.some((scheme) => (schemes.get(scheme)?.size ?? 0) > 1)) return [];
      return signal(
        `lure.${topic}`,
        share * (inHead === undefined && (topic !== 'money' || hasOwnLinks) ? IN_TEXT : 1),
        {
          words: words.slice(0, MAX_WORDS),
        },
      );
    });
    const { head, traits } = message;
    const names = head?.from.map(({ name }) => name).join(' ') ?? '';
    const styled = disguisedIn(`${head?.subject ?? ''} ${names} ${traits.text}`.slice(0, MAX_SEARCHED));
    return [
      ...lures,
      ...(styled === null ? [] : signal('lure.disguised', share, { words: styled.slice(0, MAX_WORDS) })),
    ];
  },
};

const MAX_SEARCHED = 4096;

/** Letters of mathematics, in circles and squares, which are read as those of the alphabet. */
const STYLED = /[\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}\u24b6-\u24e9]/gu;
const STYLED_WORD = /[\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}\u24b6-\u24e9]{3,40}/u;

/** Words with letters of two alphabets that look alike. */
const MIXED_WORD = /\b[a-z]{1,20}[\u0430-\u045f\u0391-\u03c9][a-z\u0430-\u045f\u0391-\u03c9]{1,20}/i;

/** Number of letters from which on they are no ornament. */
const MIN_STYLED = 5;

function disguisedIn(text: string): string | null {
  const styled = STYLED_WORD.exec(text)?.[0];
  if (styled !== undefined && (text.match(STYLED)?.length ?? 0) >= MIN_STYLED) return styled.normalize('NFKD');
  return MIXED_WORD.exec(text)?.[0] ?? null;
}

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

/** Shipped weights and thresholds of verdicts on messages. */
export const MESSAGE_MODEL: FusionModel = loadFusionModel(
  messageJson,
  MESSAGE_FEATURES,
  'src/engine/models/message.json',
);

/** Models that classify a message. */
export interface MessageModels {
  readonly knowledge: Knowledge;
}

/** Expected share of malicious messages and URLs, and thresholds of messages. */
export interface MessageSettings {
  /** In (0, 1); also that of the verdicts on the links. */
  readonly baseRate: number;
  /** The model's thresholds if absent. */
  readonly thresholds?: Thresholds;
  /** Names of the people of the own organisation. */
  readonly people?: readonly string[];
  /** True if the operator's memory of senders has this one, whose address is confirmed. */
  readonly isRemembered?: boolean;
}

const NOBODY: readonly string[] = [];

/** Verdict on a message. */
export interface MessageAssessment {
  readonly verdict: Verdict<MessageComponent>;
  readonly decision: Decision;
  readonly thresholds: Thresholds;
  /** Version of the weights. */
  readonly modelVersion: string;
}

/**
 * Assesses a message as a whole: pure, and the one path of all interfaces. Every message has a verdict, also one without
 * links; the links keep their own.
 *
 * @param links verdicts on its links, and on the site of its sender
 */
export function assessMessage(
  message: WeighedMessage,
  links: readonly WeighedLink[],
  { knowledge }: MessageModels,
  { baseRate, thresholds = MESSAGE_MODEL.thresholds, people = NOBODY, isRemembered = false }: MessageSettings,
): MessageAssessment {
  const base = logOddsOf(baseRate);
  const evidenceOf = (probability: number) => logOddsOf(probability) - base;
  const subject = mailSubject(message, links, { general: knowledge, people, isRemembered, evidenceOf });
  const evidence = new Map<MessageComponent, Evidence | null>();
  for (const { component, analyze } of MESSAGE_ANALYZERS) {
    const features = analyze(subject);
    evidence.set(component, features.length === 0 ? null : { features, terms: [] });
  }
  const verdict = fuse(evidence, MESSAGE_MODEL, baseRate);
  return {
    verdict,
    decision: decide(verdict.probability, thresholds),
    thresholds: { warn: thresholds.warn, block: thresholds.block },
    modelVersion: `message-${MESSAGE_MODEL.name}`,
  };
}
