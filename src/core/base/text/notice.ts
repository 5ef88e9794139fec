/** Names of the states of the core that need the operator; never renamed. Parts have others. */
export const NOTICE_CODES = [
  'log_damaged',
  'clock_differs',
  'list_source_failed',
  'keys_unusable',
  'lists_unusable',
  'brands_unusable',
  'model_unusable',
  'packs_unusable',
  'named_list_unusable',
  'settings_refused',
  'limiter_unavailable',
  'limiter_outdated',
] as const;

/** A state of which the operator must know. */
export interface Notice {
  /** One of {@link NOTICE_CODES}, or of the conditions of a part. */
  readonly code: string;
  /** Values of the sentence, for one in another language. */
  readonly args: Readonly<Record<string, string | number>>;
  /** In a sentence in English, for everybody. */
  readonly text: string;
}

/** Creates a notice. */
export function notice(code: Notice['code'], text: string, args: Notice['args'] = {}): Notice {
  return { code, args, text };
}
