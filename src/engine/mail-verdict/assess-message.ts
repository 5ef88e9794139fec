import { logOddsOf } from '#src/core/base/log-odds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Evidence } from '#src/engine/analyzers/analyzer.ts';
import { type Decision, decide, fuse, type Thresholds, type Verdict } from '#src/engine/fusion/fuse.ts';
import { type FusionModel, loadFusionModel } from '#src/engine/fusion/model.ts';
import messageJson from '#src/engine/models/message.json' with { type: 'json' };
import { mailSubject } from './mail-subject.ts';
import { MESSAGE_ANALYZERS, MESSAGE_FEATURES } from './message-analyzers.ts';
import type { MessageComponent } from './message-components.ts';
import type { WeighedLink, WeighedMessage } from './weighed-message.ts';

/** Shipped weights and thresholds of verdicts on messages. */
export const MESSAGE_MODEL: FusionModel = loadFusionModel(
  messageJson,
  MESSAGE_FEATURES,
  'src/engine/models/message.json',
);

/** Models that classify a message. */
export interface MessageModels {
  readonly knowledge: Knowledge;
}

/** Expected share of malicious messages and URLs, and thresholds of messages. */
export interface MessageSettings {
  /** In (0, 1); also that of the verdicts on the links. */
  readonly baseRate: number;
  /** The model's thresholds if absent. */
  readonly thresholds?: Thresholds;
  /** Names of the people of the own organisation. */
  readonly people?: readonly string[];
  /** True if the operator's memory of senders has this one, whose address is confirmed. */
  readonly isRemembered?: boolean;
}

const NOBODY: readonly string[] = [];

/** Verdict on a message. */
export interface MessageAssessment {
  readonly verdict: Verdict<MessageComponent>;
  readonly decision: Decision;
  readonly thresholds: Thresholds;
  /** Version of the weights. */
  readonly modelVersion: string;
}

/**
 * Assesses a message as a whole: pure, and the one path of all interfaces. Every message has a verdict, also one without
 * links; the links keep their own.
 *
 * @param links verdicts on its links, and on the site of its sender
 */
export function assessMessage(
  message: WeighedMessage,
  links: readonly WeighedLink[],
  { knowledge }: MessageModels,
  { baseRate, thresholds = MESSAGE_MODEL.thresholds, people = NOBODY, isRemembered = false }: MessageSettings,
): MessageAssessment {
  const base = logOddsOf(baseRate);
  const evidenceOf = (probability: number) => logOddsOf(probability) - base;
  const subject = mailSubject(message, links, { general: knowledge, people, isRemembered, evidenceOf });
  const evidence = new Map<MessageComponent, Evidence | null>();
  for (const { component, analyze } of MESSAGE_ANALYZERS) {
    const features = analyze(subject);
    evidence.set(component, features.length === 0 ? null : { features, terms: [] });
  }
  const verdict = fuse(evidence, MESSAGE_MODEL, baseRate);
  return {
    verdict,
    decision: decide(verdict.probability, thresholds),
    thresholds: { warn: thresholds.warn, block: thresholds.block },
    modelVersion: `message-${MESSAGE_MODEL.name}`,
  };
}
