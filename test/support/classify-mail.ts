import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import {
  assessMessage,
  type MessageAssessment,
  type MessageModels,
  type MessageSettings,
} from '#src/engine/mail-verdict/assess-message.ts';
import type { WeighedLink } from '#src/engine/mail-verdict/weighed-message.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { withSenders } from '#src/engine/message/sender-link.ts';
import { NOTHING } from '../engine/analyzers/evidence-samples.ts';
import { MODELS, SETTINGS } from './models.ts';

/** Classifies a mail as the product does without a network. */
export async function classifyMail(
  source: string,
  listed: readonly string[] = [],
  { models = MODELS, ...options }: { readonly models?: MessageModels } & Partial<MessageSettings> = {},
): Promise<MessageAssessment> {
  const message = await readMessage(new TextEncoder().encode(source), 'mail.eml');
  if (message === null) throw new Error('expected a text');
  const links = withSenders(message.links, message.head?.from.map(({ address }) => address) ?? []);
  const verdicts = links.flatMap(({ url }): WeighedLink[] => {
    const target = parseTarget(url);
    if (isTargetProblem(target)) return [];
    const { verdict, decision } = assess(target, NOTHING, MODELS, SETTINGS);
    return [{ url, probability: verdict.probability, decision, isListed: listed.includes(url) }];
  });
  return assessMessage(message, verdicts, models, { baseRate: SETTINGS.baseRate, ...options });
}

/** Weight of each reason by its code. */
export function weightsOf({ verdict }: MessageAssessment): Readonly<Record<string, number>> {
  return Object.fromEntries(verdict.contributions.map(({ code, weight }) => [code, weight]));
}
