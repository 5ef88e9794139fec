import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';
import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import type { Scheme } from '#src/core/knowledge/mail/mail-phrases.ts';
import {
  BESIDE_PERSON,
  OFFICE_WORDS,
  RELAYED_BY,
  SENDING_SERVICES,
  TITLES,
} from '#src/core/knowledge/mail/mail-senders.ts';
import type { Host } from '#src/core/url/host.ts';
import type { Feature } from '#src/engine/analyzers/analyzer.ts';
import { claimedBrands } from './claimed-brands.ts';
import { isForeignTo, isFreemail, type MailSender, plainWords, siteOfAddress } from './mail-sender.ts';
import type { MailSubject } from './mail-subject.ts';
import { type MessageAnalyzer, signal } from './message-analyzer.ts';

/** Requests for which frauds pose as a superior or a colleague. */
const REQUESTS: readonly Scheme[] = ['gift_cards', 'errand', 'bank_details'];

/** Share of the name alone: others have the same one, and people write from addresses of their own. */
const NAME_ALONE = 0.4;

/** Share of the name with words of a request, but without the rest of its story. */
const WITH_WORDS = 0.55;

/** Classifies a sender outside with the name of one of the own people. */
function ownPersonSignal(subject: MailSubject, sender: MailSender): readonly Feature<'sender.own_person'>[] {
  const { message, knowledge, people, schemes, isRelayed, isConversation } = subject;
  const own = knowledge.brands.all.filter((brand) => brand.isConfigured);
  const isOwn = knowledge.brands.ownersOf(sender.host).some((brand) => brand.isConfigured);
  // Without configured brands, only a free mailbox is known to be outside.
  if (isOwn || (own.length === 0 && !sender.isFreemail)) return [];
  const ofOwnBrands = new Set(own.flatMap(({ name }) => plainWords(name)));
  const isBeside = (word: string) => word.length === 1 || BESIDE_PERSON.has(word) || ofOwnBrands.has(word);
  const parts = Math.max(...REQUESTS.map((scheme) => schemes.get(scheme)?.size ?? 0));
  const [name] = namesIn(subject, sender, parts > 0).flatMap((one) => people.find(one, isBeside) ?? []);
  if (name === undefined) return [];
  const isAsking = parts > 1;
  const share = isAsking ? 1 : parts === 1 ? WITH_WORDS : NAME_ALONE;
  const receiver = message.traits.mail?.receiver ?? null;
  // If only packs have brands, the own domain may not be one of theirs. The sender writes the receiver, which excuses no request.
  const isColleague = receiver !== null && siteOfAddress(receiver, knowledge)?.site === sender.site;
  if (isColleague && !sender.isFreemail && parts === 0) return [];
  const standing = isRelayed ? (isAsking ? 0.6 : 0.3) : isConversation && !isAsking ? 0.5 : 1;
  return signal('sender.own_person', share * standing, { name, site: sender.site });
}

/**
 * Returns the names in that of a sender, without addresses; none if a list or a service sends for a person. Anybody can write
 * such words, so that only a known service may send a request with them.
 */
function namesIn(
  { confirmation, knowledge }: MailSubject,
  { name, host, isFreemail }: MailSender,
  isRequest: boolean,
): readonly string[] {
  const plain = withoutInvisible(name).replace(/\S{1,100}@\S{1,100}/g, ' ');
  const words = plainWords(plain);
  const at = words.findIndex((word) => RELAYED_BY.has(word));
  if (at === -1) return [plain];
  const isDenied = confirmation.state === 'failed' || confirmation.state === 'missing';
  const mayBeService = !isFreemail && !isDenied && (!isRequest || knowledge.brands.ownersOf(host).length > 0);
  if (mayBeService) return [];
  // Its preposition, as in `im Auftrag`, is no part of the name.
  const end = (words[at - 1]?.length ?? 0) > 2 ? at : at - 1;
  return [words.slice(0, Math.max(end, 0)).join(' '), words.slice(at + 1).join(' ')];
}

/** Features about addresses beside that of the sender. */
type AddressFeature =
  Feature<`sender.${'other_address' | 'reply_to_freemail' | 'reply_elsewhere' | 'return_elsewhere'}`>;

/** Classifies addresses of other sites in the sender's name, and those to which replies and bounces go. */
function addressSignals(subject: MailSubject, sender: MailSender): readonly AddressFeature[] {
  const { message, isConversation } = subject;
  const says = message.head?.nameMismatch?.says;
  const isAddress = /\S@\S/.test(sender.name);
  const share = isConversation ? 0.3 : isAddress ? 1 : 0.8;
  return [
    ...(says ? signal('sender.other_address', share, { says, site: sender.site }) : []),
    ...(isConversation ? [] : [...replies(subject, sender), ...bounces(subject, sender)]),
  ];
}

/** Share of a free mailbox for the answers to a sender with a domain of its own. */
const OF_FIRM = 0.65;

/** The same for a confirmed sender without a story: a club that answers from the address of a member. */
const OF_CLUB = 0.2;

function replies({ message, knowledge, confirmation, textLures, hasStory, weak }: MailSubject, sender: MailSender) {
  const { replyTo, replyToIs } = message.head ?? {};
  const reply = replyTo?.[0] ? siteOfAddress(replyTo[0].address, knowledge) : null;
  if (reply === null || replyToIs === 'same') return [];
  const { site } = reply;
  const isElsewhere = site !== sender.site;
  const isConfirmed = confirmation.state === 'passed';
  // Nobody needs a second mailbox for answers at a service where the first one is.
  if (isFreemail(reply.host) && (isElsewhere || sender.isFreemail)) {
    const isOfClub = isConfirmed && !hasStory && !textLures.has('money');
    const share = sender.isFreemail ? 1 : isOfClub ? OF_CLUB : OF_FIRM;
    return signal('sender.reply_to_freemail', share, { site });
  }
  return isElsewhere ? signal('sender.reply_elsewhere', isConfirmed ? 0.4 : weak, { site }) : [];
}

function bounces({ message, knowledge, confirmation, weak }: MailSubject, sender: MailSender) {
  const { returnPath } = message.head ?? {};
  const bounce = returnPath ? siteOfAddress(returnPath, knowledge) : null;
  if (bounce === null || bounce.site === sender.site || confirmation.state === 'passed') return [];
  const isOfService = confirmation.state === 'service' && SENDING_SERVICES.has(bounce.host.site);
  return isOfService ? [] : signal('sender.return_elsewhere', weak, { site: bounce.site });
}

/** Names of mailboxes from which programs write for an honest sender, with numbers of their own. */
const OF_PROGRAMS =
  /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|reply|bounces?|notif|notification|news|updates?|info|mail|msg|postmaster)/;

/** Shortest name that can look random. */
const MIN_LENGTH = 8;

/** Digits from which on a name without them is not one that people choose. */
const MANY_DIGITS = 5;

/**
 * Returns true if the local part of an address looks as if a program had made it: letters and digits in turns, many digits
 * behind a name, or letters that no language has beside each other.
 *
 * @param isFreemail true if all good names are taken at the service, so that people add digits
 */
function isRandomName(local: string, isFreemail: boolean): boolean {
  const name = local.split('+', 1)[0] ?? '';
  if (name.length < MIN_LENGTH || name.length > 64 || OF_PROGRAMS.test(name)) return false;
  const letters = name.replace(/[^a-z]+/g, '');
  const digits = name.replace(/\D+/g, '').length;
  const turns = name.match(/[a-z](?=\d)|\d(?=[a-z])/g)?.length ?? 0;
  if (turns >= 3 && digits >= 3) return true;
  if (!isFreemail && digits >= MANY_DIGITS && letters.length >= 3) return true;
  return /[bcdfghjklmnpqrstvwxz]{6}/.test(letters) && !/(?:sch|tsch|ngst|chts)/.test(letters);
}

const FEATURES = [
  'sender.brand_in_name',
  'sender.brand_in_subject',
  'sender.brand_in_text',
  'sender.other_address',
  'sender.reply_to_freemail',
  'sender.reply_elsewhere',
  'sender.return_elsewhere',
  'sender.random_name',
  'sender.unusual_host',
  'sender.doubtful_domain',
  'sender.malformed',
  'sender.nameless',
  'sender.office_on_freemail',
  'sender.claims_reader',
  'sender.titled',
  'sender.own_person',
] as const;

/** Log-odds of a domain at which its signal has its full value. */
const DOUBTFUL = 4.5;

/** Log-odds below which a domain is as any other. */
const MIN_DOUBT = 1;

/** Number of labels from which on ordinary senders have no host. */
const MANY_LABELS = 5;

/** Classifies who sent a mail: claims against the domain, addresses of other sites, and the domain itself. */
export const senderAnalyzer: MessageAnalyzer<'sender', (typeof FEATURES)[number]> = {
  component: 'sender',
  features: FEATURES,
  analyze(subject) {
    const { sender, message, isConversation, confirmation, weak, knowledge, senderEvidence } = subject;
    const isMalformed = message.traits.mail?.isSenderMalformed === true;
    const malformed = signal('sender.malformed', isMalformed && !isConversation ? weak : 0, {});
    if (sender === null) return malformed;
    const { site, host, local, address } = sender;
    const isPopular = !sender.isFreemail && popular(subject, host);
    const isConfirmed = confirmation.state === 'passed';
    const labels = host.text.split('.').length;
    const isCheap = knowledge.cheapSuffixes.has(host.suffix.slice(host.suffix.lastIndexOf('.') + 1));
    const isUnusual = !isPopular && (labels >= MANY_LABELS || isCheap);
    return [
      ...malformed,
      ...claims(subject, sender),
      ...addressSignals(subject, sender),
      ...ownPersonSignal(subject, sender),
      ...signal(
        'sender.random_name',
        !isPopular && !isConversation && isRandomName(local, sender.isFreemail) ? weak : 0,
        { address },
      ),
      ...signal('sender.unusual_host', isUnusual ? 1 : 0, { site: host.text }),
      ...signal(
        'sender.doubtful_domain',
        isPopular || sender.isFreemail || senderEvidence < MIN_DOUBT ? 0 : senderEvidence / DOUBTFUL,
        { site },
      ),
      ...signal('sender.nameless', isNameless(sender) && !isConversation && !isConfirmed ? weak : 0, {}),
      ...signal('sender.claims_reader', claimsReader(subject, sender), { site }),
      ...signal('sender.titled', sender.isFreemail && TITLES.has(plainWords(sender.name)[0] ?? '') ? 1 : 0, {}),
      ...signal('sender.office_on_freemail', sender.isFreemail && isOffice(sender.name) ? 1 : 0, { site }),
    ];
  },
};

function popular({ knowledge }: MailSubject, host: Host): boolean {
  return knowledge.brands.ownersOf(host).length > 0;
}

/** Brands that name, subject and text claim without being the sender's. */
function claims(subject: MailSubject, sender: MailSender): ReturnType<typeof senderAnalyzer.analyze> {
  const { knowledge, message, isConversation, confirmation, headLures, textLures, textBrands, claim } = subject;
  const { host, site, isFreemail: isAnyone } = sender;
  const names = claimedBrands(knowledge);
  const isClaim = (brand: Brand) => isForeignTo(sender, brand, knowledge);
  if (claim) {
    const value = claim.isNamedSo ? 0.3 : subject.isRelayed ? 0.6 : 1;
    return signal('sender.brand_in_name', value, { brand: claim.brand.name, site });
  }
  if (isConversation || (!isAnyone && popular(subject, host))) return [];
  const isLuring = [...headLures.keys(), ...textLures.keys()].some(
    (topic) => topic !== 'urgency' && topic !== 'advert',
  );
  const share = confirmation.state === 'passed' && !isAnyone ? 0.5 : confirmation.state === 'unknown' ? 0.35 : 1;
  const inSubject = names.inText(message.head?.subject ?? '').find(isClaim);
  if (inSubject)
    return signal('sender.brand_in_subject', (isLuring ? 1 : 0.3) * share, { brand: inSubject.name, site });
  const inText = isLuring ? textBrands.find(isClaim) : undefined;
  return inText ? signal('sender.brand_in_text', share, { brand: inText.name, site }) : [];
}

/**
 * Returns how far a sender poses as the receiver's own mail system: its name has the receiver's site or address; the subject
 * of honest notices names the account as well, so that it counts beside a lure alone.
 */
function claimsReader({ message, knowledge, isConversation, headLures }: MailSubject, sender: MailSender): number {
  const receiver = message.traits.mail?.receiver ?? null;
  const own = receiver === null ? null : siteOfAddress(receiver, knowledge);
  if (receiver === null || own === null || own.site === sender.site || isConversation) return 0;
  const names = (text: string) => text.includes(receiver) || (!isFreemail(own.host) && text.includes(own.site));
  if (names(sender.name.toLowerCase())) return 1;
  return headLures.size > 0 && names((message.head?.subject ?? '').toLowerCase()) ? 0.5 : 0;
}

function isNameless({ name, address }: MailSender): boolean {
  return !/[\p{L}\p{N}]/u.test(name) || name.toLowerCase() === address;
}

/** Returns true if a name consists of the words of an office, or begins or ends with one. */
function isOffice(name: string): boolean {
  const words = plainWords(name);
  return OFFICE_WORDS.has(words[0] ?? '') || OFFICE_WORDS.has(words.at(-1) ?? '');
}
