/** Names of the states of the core that need the operator; never renamed. Parts have others. */
export const NOTICE_CODES = [
  'log_damaged',
  'clock_differs',
  'keys_unusable',
  'lists_unusable',
  'brands_unusable',
  'model_unusable',
  'packs_unusable',
  'named_list_unusable',
  'settings_refused',
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

/** A state of the service that needs the operator. */
export interface Condition {
  /** Stable name. */
  readonly code: string;
  /** `error`: checks are refused, or something is not applied; `warning`: it will fail, or works with less. */
  readonly severity: 'warning' | 'error';
  /** First notice or start, ISO 8601 UTC. */
  readonly since: string;
  /** Values of its sentence, for one in another language. */
  readonly args: Readonly<Record<string, string | number>>;
  /** English text. */
  readonly message: string;
  /** Remedy in English; null if the message says it. */
  readonly remedy: string | null;
}

/** An alert that is active. */
export interface ActiveAlert<Code extends string = string> {
  readonly code: Code;
  /** For the operator: a sentence with names. */
  readonly fact: string;
  /** Remedy, in a sentence; null if the fact says it. */
  readonly remedy: string | null;
  /** Values of the sentence, for one in another language; they name keys and lists. */
  readonly args: Readonly<Record<string, string | number>>;
  /** For the public: a sentence without names. */
  readonly notice: string;
}

/** An alert with the time at which it was raised, in milliseconds since the Unix epoch. */
export interface RaisedAlert<Code extends string = string> extends ActiveAlert<Code> {
  readonly sinceMs: number;
}

/** Returns the condition of an alert for the operator. */
export function conditionOfAlert({ code, fact, remedy, args, sinceMs }: RaisedAlert): Condition {
  const severity = code === 'backup_failed' ? 'error' : 'warning';
  return { code, severity, since: new Date(sinceMs).toISOString(), args, message: fact, remedy };
}

/** Remembers when each notice first occurred, regardless of the numbers in it. */
export function createFirstSeen(now: () => number): (notices: readonly Notice[]) => Condition[] {
  let seen = new Map<string, number>();
  return (notices) => {
    const next = new Map<string, number>();
    const conditions = notices.map(({ code, args, text: message }): Condition => {
      const key = `${code} ${message.replace(/\d+/g, '#')}`;
      const sinceMs = seen.get(key) ?? now();
      next.set(key, sinceMs);
      const since = new Date(sinceMs).toISOString();
      return { code, severity: 'warning', since, args, message, remedy: null };
    });
    seen = next;
    return conditions;
  };
}
