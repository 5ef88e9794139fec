import { LURE_TOPICS, type LureTopic, type Scheme } from '#src/core/knowledge/mail/mail-phrases.ts';
import { type MessageAnalyzer, signal } from './message-analyzer.ts';

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
export const lureAnalyzer: MessageAnalyzer<'lure', (typeof FEATURES)[number]> = {
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
