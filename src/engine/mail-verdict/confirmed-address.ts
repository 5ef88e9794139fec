import type { Knowledge } from '#src/core/knowledge/index.ts';
import { senderOf } from './mail-sender.ts';
import { confirmationOf } from './sender-confirmation.ts';
import type { WeighedMessage } from './weighed-message.ts';

/**
 * Returns the address of a sender whose domain a trusted server confirms by DMARC or by a signature of it; null otherwise. SPF
 * alone names the server, not the sender.
 */
export function confirmedAddress({ head, traits }: WeighedMessage, knowledge: Knowledge): string | null {
  const authentication = head?.authentication ?? null;
  const sender = senderOf({ head }, knowledge);
  if (head === null || authentication === null || sender === null || head.from.length !== 1) return null;
  const results = authentication.results.filter(({ method }) => method !== 'spf');
  const signed = { head: { ...head, authentication: { ...authentication, results } }, traits };
  return confirmationOf(signed, sender, knowledge).state === 'passed' ? sender.address : null;
}
