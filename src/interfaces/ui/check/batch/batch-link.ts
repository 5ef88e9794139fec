import { LINK_ROLES, type MessageLink } from '#src/engine/message/message-link.ts';
import type { NonWebTarget } from '#src/engine/message/non-web-target.ts';
import { maskedUrl } from '../../elements/masked-url.ts';
import { packObject, unpackObject } from '../../elements/packed-object.ts';
import type { QueuedCheck } from '../check-queue.ts';
import type { Intake } from '../intake/intake-problem.ts';

/** Beyond this length nothing takes a link. */
const MAX_LENGTH = 32_000;

/** More links than this fit no link to a batch, however short they are. */
const MAX_LINKS = 2000;

const KINDS: readonly NonWebTarget['kind'][] = ['script', 'embedded', 'app', 'relative'];

/**
 * Packs a batch into a link: links and findings with their words, but no verdicts, since they could be forged. The
 * batch counts as private unless marked public. Returns null if it is too long for a link.
 */
export async function packBatch(checks: readonly QueuedCheck[]): Promise<string | null> {
  const links = checks
    .filter(({ target }) => target === null)
    .map(({ url, link }) => ({ ...link, url: maskedUrl(url) }));
  const nonWeb = checks.flatMap(({ target }) => target ?? []);
  const packed = await packObject({ links, nonWeb, isPublic: checks.every(({ isPrivate }) => !isPrivate) });
  return packed.length > MAX_LENGTH || links.length > MAX_LINKS ? null : packed;
}

/** Unpacks the links and findings of an untrusted link to a batch; null if there are none. */
export async function unpackBatch(packed: string): Promise<(Intake & { readonly isPrivate: boolean }) | null> {
  const { links, nonWeb, isPublic } = (await unpackObject(packed)) ?? {};
  if (!Array.isArray(links) || !Array.isArray(nonWeb)) return null;
  const read = {
    links: links.slice(0, MAX_LINKS).flatMap(linkIn),
    nonWeb: nonWeb.slice(0, MAX_LINKS).flatMap(targetIn),
  };
  return read.links.length + read.nonWeb.length === 0
    ? null
    : { ...read, problems: [], mail: null, isPrivate: isPublic !== true };
}

/** Contradictions of the words are not read: they are computed again, so that a link cannot claim them. */
function linkIn(value: unknown): MessageLink[] {
  const { url, words, role, isReversed, isGuess } = Object(value);
  if (typeof url !== 'string' || !/^https?:\/\/\S+$/i.test(url)) return [];
  const shown = typeof words === 'string' ? words : null;
  return [
    {
      ...{ url, words: shown, mismatch: null },
      ...(LINK_ROLES.includes(role) && { role }),
      ...(isReversed === true && { isReversed }),
      ...(isGuess === true && { isGuess }),
    },
  ];
}

function targetIn(value: unknown): NonWebTarget[] {
  const { kind, element, target, words } = Object(value);
  if (!KINDS.includes(kind) || typeof target !== 'string') return [];
  return [
    { kind, element: element === 'form' ? 'form' : 'link', target, words: typeof words === 'string' ? words : null },
  ];
}
