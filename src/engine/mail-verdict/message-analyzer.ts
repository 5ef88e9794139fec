import type { Feature } from '#src/engine/analyzers/analyzer.ts';
import type { ArgsOf, MessageReasonCode } from '#src/engine/reasons/reason.ts';
import type { MailSubject } from './mail-subject.ts';

/** Classifier of one kind of evidence on a message, pure. `features` lists the names that it can emit. */
export interface MessageAnalyzer<Component extends string, Name extends MessageReasonCode = MessageReasonCode> {
  readonly component: Component;
  readonly features: readonly Name[];
  analyze(subject: MailSubject): readonly Feature<Name>[];
}

/** Returns a feature in a list; empty if its value is 0. */
export function signal<Code extends MessageReasonCode>(name: Code, value: number, args: ArgsOf<Code>): Feature<Code>[] {
  return value <= 0 ? [] : [{ name, value: Math.min(1, value), args }];
}
