import type { MessageAnswer } from '#src/service/server/message/message-answer.ts';
import { eventsOf, NO_ANSWER, RefusalError, type SignedResult, send } from '../api/api.ts';
import { loadNames } from '../result/shown-host.ts';
import type { MailCheck, MailOrder } from './opened-mail.ts';

/**
 * Runs the check; `settled` is called with each link that it checked. Links beyond the limit of the client, and those
 * that the service did not take for the most important, stay as they are.
 */
export async function runMailCheck<Check extends { readonly url: string }>(
  mail: MailCheck,
  checks: readonly Check[],
  settled: (check: Check, checked: SignedResult) => void,
  signal: AbortSignal,
): Promise<void> {
  const byUrl = Map.groupBy(checks, ({ url }) => hrefOf(url));
  const named: Promise<void>[] = [];
  const settle = async ({ url, ...checked }: SignedResult & { readonly url: string }) => {
    await loadNames(checked.result.analysis_details);
    for (const check of byUrl.get(hrefOf(url)) ?? []) settled(check, checked);
  };
  mail.answer = await requestMailCheck(mail, (link) => named.push(settle(link)), signal);
  await Promise.all(named);
}

/** The text box may write a link in another way than the message. */
const hrefOf = (url: string) => URL.parse(url)?.href ?? url;

/** Requests the check of a mail as a whole, and reports each of its links as it is checked. */
async function requestMailCheck(
  { source, isPrivate, visit }: MailOrder,
  onLink: (link: SignedResult & { readonly url: string }) => void,
  signal: AbortSignal,
): Promise<MessageAnswer> {
  const query = new URLSearchParams({ private_mode: String(isPrivate), visit: String(visit) });
  const headers = { 'Content-Type': 'message/rfc822', Accept: 'text/event-stream' };
  const response = await send(`api/check-message?${query}`, { method: 'POST', headers, body: source, signal });
  for await (const { event, value } of eventsOf(response)) {
    if (event === 'result') return value as MessageAnswer;
    if (event === 'link') onLink(value as SignedResult & { readonly url: string });
  }
  throw new RefusalError(NO_ANSWER);
}
