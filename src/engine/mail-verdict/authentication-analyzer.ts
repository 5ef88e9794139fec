import { type MessageAnalyzer, signal } from './message-analyzer.ts';

const FEATURES = ['authentication.failed', 'authentication.missing'] as const;

/** Classifies what servers stated of the sender. Lists and forwarders break it; a mail without results is unknown. */
export const authenticationAnalyzer: MessageAnalyzer<'authentication', (typeof FEATURES)[number]> = {
  component: 'authentication',
  features: FEATURES,
  analyze({ confirmation, sender, isRelayed }) {
    if (sender === null || isRelayed) return [];
    const { site } = sender;
    if (confirmation.state === 'failed')
      return signal('authentication.failed', 1, { site, method: confirmation.method });
    return signal('authentication.missing', MISSING[confirmation.state], { site });
  },
};

/** Share of the signal in each state. */
const MISSING = { passed: 0, unknown: 0, service: 0.1, other: 0.3, missing: 1 } as const;
