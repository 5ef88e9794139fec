import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';
import type { Scheme } from '#src/core/knowledge/mail/mail-phrases.ts';
import { BESIDE_PERSON, RELAYED_BY } from '#src/core/knowledge/mail/mail-senders.ts';
import type { Feature } from '#src/engine/analyzers/analyzer.ts';
import { type MailSender, plainWords, siteOfAddress } from './mail-sender.ts';
import type { MailSubject } from './mail-subject.ts';
import { signal } from './message-analyzer.ts';

/** Requests for which frauds pose as a superior or a colleague. */
const REQUESTS: readonly Scheme[] = ['gift_cards', 'errand', 'bank_details'];

/** Share of the name alone: others have the same one, and people write from addresses of their own. */
const NAME_ALONE = 0.4;

/** Share of the name with words of a request, but without the rest of its story. */
const WITH_WORDS = 0.55;

/** Classifies a sender outside with the name of one of the own people. */
export function ownPersonSignal(subject: MailSubject, sender: MailSender): readonly Feature<'sender.own_person'>[] {
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
