import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import { OFFICE_WORDS } from '#src/core/knowledge/mail/mail-name-words.ts';
import { SENDING_SERVICES } from '#src/core/knowledge/mail/sending-services.ts';
import type { Host } from '#src/core/url/host.ts';
import { claimedBrands } from './claimed-brands.ts';
import { isForeignTo, isFreemail, type MailSender, siteOfAddress } from './mail-sender.ts';
import type { MailSubject } from './mail-subject.ts';
import { type MessageAnalyzer, signal } from './message-analyzer.ts';
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
      ...addresses(subject, sender),
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

/** Addresses of other sites in the name, and those to which replies and bounces go. */
function addresses(subject: MailSubject, sender: MailSender): ReturnType<typeof senderAnalyzer.analyze> {
  const { message, knowledge, isConversation, confirmation, weak } = subject;
  const { head } = message;
  const { site } = sender;
  const isConfirmed = confirmation.state === 'passed';
  const isAddress = /\S@\S/.test(sender.name);
  const hasScheme = subject.textLures.has('money') || [...subject.schemes.values()].some(({ size }) => size > 1);
  const says = head?.nameMismatch?.says;
  const reply = head?.replyTo[0] ? siteOfAddress(head.replyTo[0].address, knowledge) : null;
  const isReplyElsewhere = reply !== null && reply.site !== site && !isConversation && head?.replyToIs !== 'same';
  const isToFreemail = isReplyElsewhere && isFreemail(reply.host);
  const bounce = head?.returnPath ? siteOfAddress(head.returnPath, knowledge) : null;
  const isBounceElsewhere =
    bounce !== null &&
    bounce.site !== site &&
    !isConversation &&
    !isConfirmed &&
    !(confirmation.state === 'service' && SENDING_SERVICES.has(bounce.host.site));
  return [
    ...(says ? signal('sender.other_address', isConversation ? 0.3 : isAddress ? 1 : 0.8, { says, site }) : []),
    // A club that answers from the address of a member is confirmed as the sender, and has no lure.
    ...(isToFreemail
      ? signal('sender.reply_to_freemail', isConfirmed && !sender.isFreemail && !hasScheme ? 0.3 : 1, {
          site: reply.site,
        })
      : []),
    ...(isReplyElsewhere && !isToFreemail
      ? signal('sender.reply_elsewhere', isConfirmed ? 0.4 : weak, { site: reply.site })
      : []),
    ...(isBounceElsewhere ? signal('sender.return_elsewhere', weak, { site: bounce.site }) : []),
  ];
}

function isNameless({ name, address }: MailSender): boolean {
  return !/[\p{L}\p{N}]/u.test(name) || name.toLowerCase() === address;
}

/** Returns true if a name consists of the words of an office, or begins or ends with one. */
function isOffice(name: string): boolean {
  const words = plainWords(name);
  return OFFICE_WORDS.has(words[0] ?? '') || OFFICE_WORDS.has(words.at(-1) ?? '');
}
