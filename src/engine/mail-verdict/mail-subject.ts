import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import { withoutUmlauts } from '#src/core/knowledge/brands/configured-brand.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { type MailPhrases, mailPhrases, type SchemeParts } from '#src/core/knowledge/mail/mail-phrases.ts';
import { withMailBrands } from '#src/core/knowledge/mail/mail-senders.ts';
import { skeleton } from '#src/core/url/confusable.ts';
import type { Host } from '#src/core/url/host.ts';
import { carriedCallIn } from './carried-call.ts';
import { claimedBrands, type NameClaim, nameClaimOf } from './claimed-brands.ts';
import { type ContentLink, contentLinks } from './content-links.ts';
import { type MailSender, plainWords, senderOf } from './mail-sender.ts';
import { type Confirmation, confirmationOf } from './sender-confirmation.ts';
import type { WeighedLink, WeighedMessage } from './weighed-message.ts';

/** Finds the people of the own organisation by the names of senders. */
interface OwnPeople {
  /**
   * Returns the person whose name a sender bears, as it is configured; null if there is none. The order of the words, case,
   * marks and look-alike letters make no difference.
   *
   * @param isBeside returns true for a word that may be beside a name
   */
  find(name: string, isBeside: (word: string) => boolean): string | null;
}

/** A word, and its appearance at a glance. */
interface NameWord {
  readonly plain: string;
  readonly seen: string;
}

/** A configured name in one of its spellings, as appearances of words. */
interface Spelling {
  readonly person: string;
  readonly words: readonly string[];
}

/** Maximum number of words of a sender's name that are read. */
const MAX_WORDS = 16;

const known = new WeakMap<readonly string[], OwnPeople>();

/** Returns the search for people; built once for a list. */
function ownPeople(people: readonly string[]): OwnPeople {
  return known.getOrInsertComputed(people, createOwnPeople);
}

function createOwnPeople(people: readonly string[]): OwnPeople {
  const byWord = new Map<string, Spelling[]>();
  const joined = new Map<string, string>();
  for (const person of people)
    for (const spelled of spellingsOf(person)) {
      const words = spelled.map(({ seen }) => seen);
      const [first, ...others] = words;
      if (first === undefined) continue;
      byWord.getOrInsertComputed(first, () => []).push({ person, words });
      joined.set(words.join(''), person);
      joined.set([words.at(-1), first, ...others.slice(0, -1)].slice(0, words.length).join(''), person);
    }
  return {
    find(name, isBeside) {
      for (const words of spellingsOf(name)) {
        for (const { seen } of words)
          for (const spelling of byWord.get(seen) ?? [])
            if (isNameIn(words, spelling.words, isBeside)) return spelling.person;
        const rest = words.filter(({ plain }) => !isBeside(plain)).map(({ seen }) => seen);
        const person = joined.get(rest.join(''));
        if (person !== undefined) return person;
      }
      return null;
    },
  };
}

/** Returns true if the words have all those of a name, each once, and no others but those that may be beside it. */
function isNameIn(words: readonly NameWord[], name: readonly string[], isBeside: (word: string) => boolean): boolean {
  const missing = [...name];
  const others = words.filter(({ seen }) => {
    const at = missing.indexOf(seen);
    if (at !== -1) missing.splice(at, 1);
    return at === -1;
  });
  return missing.length === 0 && others.every(({ plain }) => isBeside(plain));
}

/** Returns the words of a name without marks, and with umlauts as two letters. */
function spellingsOf(name: string): readonly (readonly NameWord[])[] {
  const lower = name.toLowerCase().replace(/['’]/g, '');
  return [...new Set([lower, withoutUmlauts(lower)])].map((text) =>
    plainWords(text)
      .slice(0, MAX_WORDS)
      .map((plain) => ({ plain, seen: skeleton(plain) })),
  );
}

/** A message as its analyzers see it. */
export interface MailSubject extends MailPhrases {
  readonly message: WeighedMessage;
  readonly knowledge: Knowledge;
  /** Null if there is none with a domain. */
  readonly sender: MailSender | null;
  readonly confirmation: Confirmation;
  /** True if a trusted server confirms the sender, or a service that sends for it. */
  readonly isStated: boolean;
  /** True for a mail of a mailing list, for an answer, and for a report of a mail server: each quotes others. */
  readonly isConversation: boolean;
  /** True for a mail of a mailing list and for a report of a mail server, whose results are not those of the sender. */
  readonly isRelayed: boolean;
  readonly people: OwnPeople;
  /** True if the memory of senders has this one. */
  readonly isRemembered: boolean;
  /** Null if the sender's name claims no brand of another. */
  readonly claim: NameClaim | null;
  /** Log-odds of the site of the sender beyond those of an ordinary one. */
  readonly senderEvidence: number;
  readonly links: readonly ContentLink[];
  /** True if a link leads to the site of the sender, which is no mail provider's, or through its mail service. */
  readonly hasOwnLinks: boolean;
  /** Parts of a call-back that a third party wrote into the mail of a service; null if there is none, and for the mail of a list. */
  readonly carriedCall: SchemeParts | null;
  /** True if the words of at least two parts of a scheme are in it. */
  readonly hasStory: boolean;
  /** Brands that the text claims in its beginning, where a sender introduces itself. */
  readonly textBrands: readonly Brand[];
  /** Share of a weak signal: half, if no server stated anything of the mail. */
  readonly weak: number;
}

/** Length of the text in which a sender introduces itself, in UTF-16 code units; social networks are named in the end. */
const INTRODUCTION = 700;

/** Context of a message. */
interface SubjectContext {
  readonly general: Knowledge;
  /** Names of the people of the own organisation. */
  readonly people: readonly string[];
  readonly isRemembered: boolean;
  /** Returns the log-odds of a probability beyond those of an ordinary URL. */
  readonly evidenceOf: (probability: number) => number;
}

/** Describes a message for its analyzers. */
export function mailSubject(
  message: WeighedMessage,
  verdicts: readonly WeighedLink[],
  { general, people, isRemembered, evidenceOf }: SubjectContext,
): MailSubject {
  const knowledge = withMailBrands(general);
  const sender = senderOf(message, knowledge);
  const { head, traits } = message;
  const confirmation = confirmationOf(message, sender, knowledge);
  const ofSender = verdicts.filter(({ url }) => sender !== null && isSiteOf(url, sender.host));
  const links = contentLinks(message, verdicts, { sender, knowledge, evidenceOf });
  const name = head?.from.map((one) => one.name).join('\n') ?? '';
  const isRelayed = traits.mail !== null && (traits.mail.isList || traits.mail.isReport);
  const phrases = mailPhrases(head?.subject ?? '', name, traits.text);
  return {
    message,
    knowledge,
    sender,
    confirmation,
    isStated: confirmation.state === 'passed' || confirmation.state === 'service',
    isConversation: isRelayed || traits.mail?.isReply === true,
    isRelayed,
    people: ownPeople(people),
    isRemembered,
    claim: sender && nameClaimOf(sender, confirmation, knowledge),
    senderEvidence: Math.max(0, ...ofSender.map(({ probability }) => evidenceOf(probability))),
    links,
    hasOwnLinks: sender?.isFreemail === false && links.some(({ isOfSender, isTracker }) => isOfSender || isTracker),
    ...phrases,
    carriedCall: isRelayed ? null : carriedCallIn(traits.text, sender, phrases.schemes.get('callback')),
    hasStory: phrases.schemes.values().some(({ size }) => size > 1),
    textBrands: claimedBrands(knowledge).inText(traits.text.slice(0, INTRODUCTION)),
    weak: confirmation.state === 'unknown' ? 0.5 : 1,
  };
}

/** Returns true for the link by which the sender's site is checked. */
function isSiteOf(url: string, { text }: Host): boolean {
  return url === `https://${text}/`;
}
