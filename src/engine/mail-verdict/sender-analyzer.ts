import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import { OFFICE_WORDS, TITLES } from '#src/core/knowledge/mail/mail-senders.ts';
import type { Host } from '#src/core/url/host.ts';
import { addressSignals } from './address-signals.ts';
import { claimedBrands } from './claimed-brands.ts';
import { isForeignTo, isFreemail, type MailSender, siteOfAddress } from './mail-sender.ts';
import type { MailSubject } from './mail-subject.ts';
import { type MessageAnalyzer, signal } from './message-analyzer.ts';
import { ownPersonSignal } from './own-person-signal.ts';
import { plainWords } from './plain-words.ts';
import { isRandomName } from './random-name.ts';

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
