import type { ConfigFor } from '../config.ts';

/** Result of one examination. */
export interface Finding {
  /** Identifier for programs. */
  readonly name: string;
  /** `ok`, `advice`: it works and could be better, `fault`: it does not work. */
  readonly state: 'ok' | 'advice' | 'fault';
  /** The finding, in a sentence. */
  readonly text: string;
  /** The remedy, in a sentence; null if none is needed. */
  readonly advice: string | null;
}

/** A read-only examination. */
export type Examination = (config: ConfigFor<'doctor'>) => Promise<readonly Finding[]>;

/** A finding of something that is as it should be. */
export const well = (name: string, text: string): Finding => ({ name, state: 'ok', text, advice: null });

/** A finding of something that could be better. */
export const better = (name: string, text: string, advice: string): Finding => ({
  name,
  state: 'advice',
  text,
  advice,
});

/** A finding of something that does not work. */
export const broken = (name: string, text: string, advice: string): Finding => ({ name, state: 'fault', text, advice });
