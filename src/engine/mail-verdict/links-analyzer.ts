import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { LureTopic } from '#src/core/knowledge/mail/mail-phrases.ts';
import { parseHost } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { ContentLink } from './content-links.ts';
import type { MailSubject } from './mail-subject.ts';
import { type MessageAnalyzer, signal } from './message-analyzer.ts';

const FEATURES = [
  'links.suspicious',
  'links.listed',
  'links.elsewhere',
  'links.hidden_target',
  'links.contradicted',
  'links.bare',
] as const;

/** Log-odds below which a link is as any other. */
const MIN_EVIDENCE = 0.7;

/** Log-odds of a link at which its signal has its full value. */
const FULL_EVIDENCE = 6;

/**
 * Share of a link's evidence up to that of a warned link: one alone is no warned mail, since honest ones have such links;
 * more so, if no server stated anything of the mail. Beyond it counts in full, except in reports of mail servers, which
 * contain what others wrote.
 */
const SHARE = { message: 1, mail: 0.7, unknown: 0.55, report: 0.25 } as const;

/** Share of the evidence of a link to the sender's own site: firms that confirm nothing have such sites as well. */
const OWN = 0.35;

/** Log-odds that make a warned link: ln(0.488 / 0.512) − ln(0.05 / 0.95). */
export const OF_WARNING = 2.9;

/** Share of words that name another site than their link, if it is no brand's own. */
const OTHER_CLAIM = 0.45;

/** Text of a mail that has nothing to say, in characters. */
const FEW_LETTERS = 200;

/** Share for the kind of service: people send links to documents, and newsletters have shortened ones. */
const HIDDEN: Readonly<Partial<Record<HostKind, number>>> = {
  form: 0.4,
  blog: 0.4,
  code: 0.3,
  link_in_bio: 0.5,
  builder: 0.6,
  app: 0.8,
};

/** Lures that are sent from mailboxes and sites that were taken over. */
const STOLEN_MAILBOX: readonly LureTopic[] = ['account', 'mailbox', 'parcel', 'wallet', 'prize', 'advert'];

/** Classifies where the links of a message lead. */
export const linksAnalyzer: MessageAnalyzer<'links', (typeof FEATURES)[number]> = {
  component: 'links',
  features: FEATURES,
  analyze(subject) {
    const { links, message } = subject;
    const listed = links.find(({ isListed }) => isListed);
    const open = links.filter((link) => (link.evidence ?? 0) >= MIN_EVIDENCE && !isRelieved(link, subject));
    const worst = open.reduce<ContentLink | null>(
      (most, one) => ((one.evidence ?? 0) > (most?.evidence ?? 0) ? one : most),
      null,
    );
    return [
      ...(listed ? signal('links.listed', 1, { host: listed.target.host.text }) : []),
      ...(worst
        ? signal('links.suspicious', weighed(worst, subject) / FULL_EVIDENCE, {
            host: worst.target.host.text,
          })
        : []),
      ...(message.kind === 'mail' ? ofMail(subject) : []),
    ];
  },
};

/** Returns what counts of the evidence of a link, in log-odds. */
function weighed({ evidence, isOfSender }: ContentLink, subject: MailSubject): number {
  const origin = originOf(subject);
  const beyond = origin === 'report' ? SHARE.report : 1;
  const share = isOfSender && subject.confirmation.state !== 'failed' ? Math.min(OWN, SHARE[origin]) : SHARE[origin];
  return share * Math.min(evidence ?? 0, OF_WARNING) + beyond * Math.max(0, (evidence ?? 0) - OF_WARNING);
}

function originOf({ message, confirmation, sender }: MailSubject): keyof typeof SHARE {
  if (message.kind !== 'mail') return 'message';
  if (message.traits.mail?.isReport === true) return 'report';
  return sender !== null && confirmation.state === 'unknown' ? 'unknown' : 'mail';
}

/**
 * Returns true for a link that speaks for nobody: a confirmed sender's own site, and the tracker of its mail service. A link
 * that is warned about still counts, because attackers confirm domains of their own.
 */
function isRelieved({ isOfSender, isTracker, evidence }: ContentLink, { isStated, sender }: MailSubject): boolean {
  const isOwn = isStated && sender?.isFreemail === false && (isOfSender || isTracker);
  return isOwn && (evidence ?? 0) < OF_WARNING;
}

function ofMail(subject: MailSubject): ReturnType<typeof linksAnalyzer.analyze> {
  const { links, sender, message, isConversation, confirmation, isStated, weak } = subject;
  const isConfirmed = confirmation.state === 'passed';
  // Mailboxes of honest firms are taken over, and then confirmed as well.
  const isLuring = STOLEN_MAILBOX.some((topic) => subject.headLures.has(topic));
  const shown = links.filter(({ link }) => link.file === undefined);
  const isElsewhere =
    sender !== null &&
    !sender.isFreemail &&
    !isConversation &&
    shown.length > 0 &&
    !shown.some((one) => one.isOfSender || (one.isTracker && isStated));
  const hidden = shown.find(({ hides, isOfSender }) => hides !== null && !isOfSender);
  const contradicted = links.find((one) => one.link.mismatch !== null && !isOwnClaim(one, subject));
  const letters = message.traits.text.replace(/\s+/g, ' ').trim().length;
  const isBare = message.traits.isMarkupOnly && letters < FEW_LETTERS && shown.length > 0 && !isConversation;
  const kindShare = hidden?.hides ? Math.max(HIDDEN[hidden.hides] ?? 1, isLuring ? 0.7 : 0) : 0;
  const hiddenShare = kindShare * (sender?.isFreemail || isConversation ? 0.4 : isConfirmed && !isLuring ? 0.7 : 1);
  return [
    ...(isElsewhere ? signal('links.elsewhere', away(subject, isLuring, shown), { site: sender.site }) : []),
    ...(hidden ? signal('links.hidden_target', hiddenShare * (0.5 + weak / 2), { host: hidden.target.host.text }) : []),
    ...(contradicted
      ? signal(
          'links.contradicted',
          (isConversation ? 0.4 : 1) * (isOfBrand(contradicted, subject) ? 1 : OTHER_CLAIM),
          {
            says: contradicted.link.mismatch?.says ?? '',
            host: contradicted.target.host.text,
          },
        )
      : []),
    ...signal('links.bare', isBare && !isStated ? weak : 0, {}),
  ];
}

/**
 * Returns how far a lure leads away from its sender. Firms link to shops, parcel services and social networks, and a mail
 * without results is unknown.
 */
function away(
  { confirmation, weak, knowledge }: MailSubject,
  isLuring: boolean,
  shown: readonly ContentLink[],
): number {
  const leadsToBrand = shown.some(
    ({ target, hides }) => hides === null && knowledge.brands.ownersOf(target.host).length > 0,
  );
  if (isLuring && !leadsToBrand && confirmation.state !== 'unknown') return 1;
  return confirmation.state === 'passed' ? 0.35 : 0.7 * weak;
}

/** Returns true if the words of a link are a brand's own address, and it leads elsewhere. */
function isOfBrand({ link, target }: ContentLink, { knowledge }: MailSubject): boolean {
  const host = parseHost(link.mismatch?.says ?? '');
  const [brand] = host === null ? [] : knowledge.brands.ownersOf(host);
  return brand !== undefined && !knowledge.brands.ownersOf(target.host).includes(brand);
}

/** Returns true if the words of a link name the confirmed sender's own site, before which its mail service puts another. */
function isOwnClaim({ link, target }: ContentLink, { sender, confirmation }: MailSubject): boolean {
  const says = link.mismatch?.says ?? '';
  const isOwn = sender !== null && (says === sender.site || says.endsWith(`.${sender.site}`));
  return (isOwn && confirmation.state === 'passed') || target.host.text === says;
}

const TRUST_FEATURES = [
  'trust.known_sender',
  'trust.confirmed',
  'trust.own_links',
  'trust.conversation',
  'trust.remembered',
] as const;

/** Finds what speaks for a message. A pass counts for the domain alone: attackers confirm their own. */
export const trustAnalyzer: MessageAnalyzer<'trust', (typeof TRUST_FEATURES)[number]> = {
  component: 'trust',
  features: TRUST_FEATURES,
  analyze(subject) {
    const { sender, confirmation, links, knowledge, headLures, senderEvidence } = subject;
    const { isConversation, hasOwnLinks, hasStory } = subject;
    if (isOfAnother(subject)) return [];
    // Anybody can write the headers of an answer.
    const conversation = signal('trust.conversation', isConversation && !hasStory ? 1 : 0, {});
    const isConfirmed = confirmation.state === 'passed';
    const before = [...conversation, ...signal('trust.remembered', isKnownHere(subject) ? 1 : 0, {})];
    if (sender === null || sender.isFreemail) return before;
    const { site, host } = sender;
    const isKnown = knowledge.brands.ownersOf(host).length > 0 && knowledge.hostFact(host) === null;
    const own = links.filter(({ isOfSender }) => isOfSender);
    const isOwn = own.length > 0 && own.every(({ evidence }) => (evidence ?? 0) < OF_WARNING);
    const isVisited = isKnown || isPopular(site, knowledge);
    const isAway = links.length > 0 && !hasOwnLinks;
    const confirmedShare = !isAway ? 1 : headLures.size > 0 ? 0 : AWAY;
    const isFailed = confirmation.state === 'failed';
    return [
      ...before,
      ...signal('trust.known_sender', isConfirmed && isVisited ? (isKnown ? 1 : POPULAR) : 0, { site }),
      ...signal('trust.confirmed', isConfirmed && !isVisited && senderEvidence < DOUBTFUL ? confirmedShare : 0, {
        site,
      }),
      ...signal('trust.own_links', isOwn && !isFailed ? (isConfirmed || isKnown ? 1 : 0.5) : 0, { site }),
    ];
  },
};

/**
 * Returns true if nothing speaks for a message: who writes in the name of a brand may also write that it is an answer, and
 * confirm a site that was taken over; a service that carries the call-back of a third party did not write it.
 */
function isOfAnother({ claim, carriedCall }: MailSubject): boolean {
  return (claim !== null && !claim.isNamedSo) || carriedCall !== null;
}

/** Returns true for a confirmed sender who wrote before. A mailbox that was taken over sends alarming links. */
function isKnownHere({ confirmation, isRemembered, links }: MailSubject): boolean {
  const isAlarming = links.some(({ evidence, isListed }) => isListed || (evidence ?? 0) >= OF_WARNING);
  return isRemembered && confirmation.state === 'passed' && !isAlarming;
}

/** Share of a pass for a site to which no link leads. */
const AWAY = 0.4;

/** Share for a site that many people visit, and that is no known brand's. */
const POPULAR = 0.5;

/** Bucket of the hundred thousand most visited sites, see `popular-sites.ts`. */
const MAX_BUCKET = 4;

function isPopular(site: string, { popularityOf, hostFact }: Knowledge): boolean {
  const target = parseTarget(`https://${site}/`);
  if (isTargetProblem(target) || hostFact(target.host) !== null) return false;
  const bucket = popularityOf(target);
  return bucket !== null && bucket <= MAX_BUCKET;
}

/** Log-odds of a domain from which on its owner's word is worth nothing. */
const DOUBTFUL = 1.5;
