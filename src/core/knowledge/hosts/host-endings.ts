import { mapWith } from '#src/core/base/guard.ts';
import { isWordLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './host-endings.json' with { type: 'json' };

/** Words that distinguish a name of a host in a text from other words with dots. */
export interface HostEndings {
  /** Top-level names that are nothing else. */
  readonly plain: ReadonlySet<string>;
  /** Top-level names that are also extensions of files, or members in source code. */
  readonly files: ReadonlySet<string>;
  /** Top-level names that are also words. */
  readonly other: ReadonlySet<string>;
  /** Extensions in front of another one. */
  readonly middles: ReadonlySet<string>;
  /** First parts of names in source code. */
  readonly roots: ReadonlySet<string>;
  /** Words in front of an address. */
  readonly announcing: ReadonlySet<string>;
}

const kinds = ['plain', 'files', 'other', 'middles', 'roots', 'announcing'] as const;

const lines = readFacts('host-endings.json', file, mapWith(isWordLines));

/** The words of `host-endings.json`. */
export const HOST_ENDINGS: HostEndings = Object.fromEntries(
  kinds.map((kind) => [kind, new Set(wordsIn(lines[kind] ?? []))]),
) as unknown as HostEndings;
