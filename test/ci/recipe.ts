import type { TreeCopy } from './tree-copy.ts';

/** One recipe of CONTRIBUTING, as somebody carries it out. */
export interface Recipe {
  /** The steps that nobody asks for. */
  begin(copy: TreeCopy): Promise<void>;
  /** The files with which the compiler asks for the rest. */
  readonly asked: readonly string[];
  /** What the compiler, the program or a test asks for. */
  finish?(copy: TreeCopy): Promise<void>;
}
