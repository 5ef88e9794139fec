import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { OF_WARNING } from './links-analyzer.ts';
import type { MailSubject } from './mail-subject.ts';
import { type MessageAnalyzer, signal } from './message-analyzer.ts';

const FEATURES = [
  'trust.known_sender',
  'trust.confirmed',
  'trust.own_links',
  'trust.conversation',
  'trust.remembered',
] as const;

/** Finds what speaks for a message. A pass counts for the domain alone: attackers confirm their own. */
export const trustAnalyzer: MessageAnalyzer<'trust', (typeof FEATURES)[number]> = {
  component: 'trust',
  features: FEATURES,
  analyze(subject) {
    const { sender, confirmation, links, knowledge, headLures, senderEvidence, claim } = subject;
    const { isConversation, hasOwnLinks, hasStory } = subject;
    // Who writes in the name of a brand may also write that it is an answer, and confirm a site that was taken over.
    if (claim !== null && !claim.isNamedSo) return [];
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
