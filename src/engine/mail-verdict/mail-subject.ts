import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { type MailPhrases, mailPhrases } from '#src/core/knowledge/mail/mail-phrases.ts';
import { withMailBrands } from '#src/core/knowledge/mail/mail-senders.ts';
import type { Host } from '#src/core/url/host.ts';
import { claimedBrands, type NameClaim, nameClaimOf } from './claimed-brands.ts';
import { type ContentLink, contentLinks } from './content-links.ts';
import { type MailSender, senderOf } from './mail-sender.ts';
import { type OwnPeople, ownPeople } from './own-people.ts';
import { type Confirmation, confirmationOf } from './sender-confirmation.ts';
import type { WeighedLink, WeighedMessage } from './weighed-message.ts';

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
    hasStory: phrases.schemes.values().some(({ size }) => size > 1),
    textBrands: claimedBrands(knowledge).inText(traits.text.slice(0, INTRODUCTION)),
    weak: confirmation.state === 'unknown' ? 0.5 : 1,
  };
}

/** Returns true for the link by which the sender's site is checked. */
function isSiteOf(url: string, { text }: Host): boolean {
  return url === `https://${text}/`;
}
