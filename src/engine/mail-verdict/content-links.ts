import { writtenByService } from '#src/core/knowledge/hosts/forwarding/forwarders.ts';
import { mailWrapperOf } from '#src/core/knowledge/hosts/forwarding/wrapper-table.ts';
import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { MessageLink } from '#src/engine/message/message-link.ts';
import type { MailSender } from './mail-sender.ts';
import type { WeighedLink, WeighedMessage } from './weighed-message.ts';

/** A link that a reader may follow. */
export interface ContentLink {
  readonly link: MessageLink;
  /** Target behind link protection and redirectors, as far as the link itself names it. */
  readonly target: Target;
  /** True if its site is that of the sender, or one with the same owner. */
  readonly isOfSender: boolean;
  /** True for the click tracker of a mail service whose target only the service knows. */
  readonly isTracker: boolean;
  /** Kind of the service that hides the target, or under whose name anyone publishes; null if there is none. */
  readonly hides: HostKind | null;
  /** Log-odds of the link beyond those of an ordinary one; null if it has no verdict. */
  readonly evidence: number | null;
  readonly isListed: boolean;
}

/** Context of the links. */
interface AboutLinks {
  readonly sender: MailSender | null;
  readonly knowledge: Knowledge;
  readonly evidenceOf: (probability: number) => number;
}

/** Maximum number of links whose targets are read. */
const MAX_LINKS = 60;

/** Services that hide a target, or under whose name anyone publishes at no cost. */
const HIDING: ReadonlySet<HostKind> = new Set<HostKind>([
  ...(['shortener', 'storage', 'ipfs_gateway', 'redirector', 'translator', 'free_hosting', 'app', 'tunnel'] as const),
  ...(['dynamic_dns', 'link_in_bio', 'builder', 'form', 'blog', 'code'] as const),
]);

/** Returns the links of a message itself, the first ones, with what is known of them. */
export function contentLinks(
  { links }: Pick<WeighedMessage, 'links'>,
  verdicts: readonly WeighedLink[],
  about: AboutLinks,
): ContentLink[] {
  const { sender } = about;
  const byUrl = new Map(verdicts.map((verdict) => [verdict.url, verdict]));
  const own = links.filter(({ role, isGuess }) => role !== 'sender' && isGuess !== true);
  // A verdict whose link is not among the first ones counts as well: it may be the worst of thousands.
  const ofSender = sender && `https://${sender.host.text}/`;
  const further = verdicts.filter(({ url }) => url !== ofSender && !links.some((link) => link.url === url));
  const all = [
    ...own.slice(0, MAX_LINKS),
    ...own
      .slice(MAX_LINKS)
      .filter(({ url }) => byUrl.has(url))
      .slice(0, MAX_LINKS),
  ];
  const shown = [...all, ...further.slice(0, MAX_LINKS).map(({ url }) => ({ url, words: null, mismatch: null }))];
  return shown.flatMap((link) => {
    const outer = parseTarget(link.url);
    if (isTargetProblem(outer)) return [];
    const verdict = byUrl.get(link.url);
    return describe(link, outer, verdict, about);
  });
}

function describe(
  link: MessageLink,
  outer: Target,
  verdict: WeighedLink | undefined,
  { sender, knowledge, evidenceOf }: AboutLinks,
): ContentLink {
  const target = unwrap(outer).at(-1) ?? outer;
  const wrapper = mailWrapperOf(target.host.text, target.path);
  const isTracker =
    wrapper?.kind === 'tracker' ||
    (wrapper === null && writtenByService(target) !== null && !isPlatform(target, knowledge));
  const kind = knowledge.hostFact(target.host)?.kind ?? null;
  return {
    link,
    target,
    isOfSender: sender !== null && isSameOwner(sender, target, knowledge),
    isTracker,
    hides: kind !== null && HIDING.has(kind) && !isTracker ? kind : null,
    evidence: verdict ? evidenceOf(verdict.probability) : null,
    isListed: verdict?.isListed ?? false,
  };
}

function isPlatform({ host }: Target, { hostFact }: Knowledge): boolean {
  return hostFact(host) !== null;
}

function isSameOwner({ site, host }: MailSender, target: Target, { publisherOf, brands }: Knowledge): boolean {
  if (publisherOf(target.host) === site) return true;
  const owners = brands.ownersOf(host);
  return owners.length > 0 && brands.ownersOf(target.host).some((brand) => owners.includes(brand));
}
