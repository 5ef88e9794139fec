import type { MessageAnswer } from '#src/service/server/message/message-answer.ts';
import { type MailOrder, requestMailCheck, type SignedResult } from '../api/api.ts';
import { loadNames } from '../result/names/shown-host.ts';

/** Check of a mail as a whole, which is sent to the service. */
export interface MailCheck extends MailOrder {
  /** Null until the service has answered, and if it did not. */
  answer: MessageAnswer | null;
  /** True if the service did not answer. */
  isRefused: boolean;
}

/** Creates a check that has not begun. */
export function mailCheck(source: Uint8Array<ArrayBuffer>, { isPrivate, visit }: Omit<MailOrder, 'source'>): MailCheck {
  return { source, isPrivate, visit, answer: null, isRefused: false };
}

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
