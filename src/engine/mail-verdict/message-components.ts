import { attachmentsAnalyzer } from './attachments-analyzer.ts';
import { authenticationAnalyzer } from './authentication-analyzer.ts';
import { linksAnalyzer } from './links-analyzer.ts';
import { lureAnalyzer } from './lure-analyzer.ts';
import { schemeAnalyzer } from './scheme-analyzer.ts';
import { senderAnalyzer } from './sender-analyzer.ts';
import { trustAnalyzer } from './trust-analyzer.ts';

/** Analyzers of a message, in the order in which answers list their scores. */
export const MESSAGE_ANALYZERS = [
  ...([
    senderAnalyzer,
    authenticationAnalyzer,
    lureAnalyzer,
    schemeAnalyzer,
    linksAnalyzer,
    attachmentsAnalyzer,
    trustAnalyzer,
  ] as const),
] as const;

/** Name of a part of the verdict on a message. */
export type MessageComponent = (typeof MESSAGE_ANALYZERS)[number]['component'];

/** Names of all features of a message, which its model must weigh. */
export const MESSAGE_FEATURES: readonly string[] = MESSAGE_ANALYZERS.flatMap(({ features }) => [...features]);
