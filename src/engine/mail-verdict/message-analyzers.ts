import { attachmentsAnalyzer } from './attachments-analyzer.ts';
import { authenticationAnalyzer } from './authentication-analyzer.ts';
import { linksAnalyzer } from './links-analyzer.ts';
import { lureAnalyzer } from './lure-analyzer.ts';
import type { MessageAnalyzer } from './message-analyzer.ts';
import { MESSAGE_COMPONENTS, type MessageComponent } from './message-components.ts';
import { schemeAnalyzer } from './scheme-analyzer.ts';
import { senderAnalyzer } from './sender-analyzer.ts';
import { trustAnalyzer } from './trust-analyzer.ts';

const ANALYZERS: { readonly [Component in MessageComponent]: MessageAnalyzer<Component> } = {
  sender: senderAnalyzer,
  authentication: authenticationAnalyzer,
  lure: lureAnalyzer,
  scheme: schemeAnalyzer,
  links: linksAnalyzer,
  attachments: attachmentsAnalyzer,
  trust: trustAnalyzer,
};

/** Analyzers of a message, in the order of their components. */
export const MESSAGE_ANALYZERS = MESSAGE_COMPONENTS.map((component) => ANALYZERS[component]);

/** Names of all features of a message, which its model must weigh. */
export const MESSAGE_FEATURES: readonly string[] = MESSAGE_ANALYZERS.flatMap(({ features }) => [...features]);
