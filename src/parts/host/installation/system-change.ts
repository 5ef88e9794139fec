import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';

/** Whose something is: user and group. */
export type Owner = 'root:root' | 'root:lurecheck' | 'lurecheck:lurecheck';

/** A step of an installation or removal, or the reason why a file is left unchanged. Paths are relative to the root. */
export type SystemChange =
  | { readonly kind: 'folder'; readonly path: string; readonly mode: number; readonly owner: Owner }
  | WrittenFile
  | { readonly kind: 'program'; readonly path: string; readonly from: string }
  /** A key of 32 random bytes: new if `from` is null, otherwise moved. */
  | { readonly kind: 'key'; readonly path: string; readonly from: string | null }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'run'; readonly command: readonly string[] }
  | { readonly kind: 'same'; readonly path: string }
  | { readonly kind: 'kept'; readonly path: string; readonly why: string };

/** A file with all of its text. */
export interface WrittenFile {
  readonly kind: 'file';
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  readonly owner: Owner;
  /** Path to which a modified file is moved; null if it is unmodified or does not exist. */
  readonly asideTo: string | null;
}

/** The service reads its key and cannot change it. */
export const KEY_RIGHTS = { mode: 0o640, owner: 'root:lurecheck' } as const;

/** Returns true if a step changes anything. */
export const isEffective = ({ kind }: SystemChange): boolean => kind !== 'same' && kind !== 'kept';

/** A change in one line. */
export function describeChange(change: SystemChange): string {
  switch (change.kind) {
    case 'folder':
      return line('make', `${change.path} ${rights(change)}`);
    case 'file': {
      const aside = change.asideTo === null ? '' : `, and keep the edited file as ${change.asideTo}`;
      return line('write', `${change.path} ${rights(change)}${aside}`);
    }
    case 'program':
      return line('copy', `${change.from} to ${change.path}`);
    case 'key':
      return change.from === null
        ? line('write', `${change.path} ${rights(KEY_RIGHTS)}`)
        : line('move', `${change.from} to ${change.path} ${rights(KEY_RIGHTS)}`);
    case 'remove':
      return line('remove', change.path);
    case 'run':
      return line('run', change.command.join(' '));
    case 'same':
      return line('same', change.path);
    case 'kept':
      return line('keep', `${change.path}: ${change.why}`);
  }
}

const line = (verb: string, what: string) => `${verb.padEnd(7)} ${visibleInTerminal(what)}\n`;

const rights = ({ mode, owner }: { readonly mode: number; readonly owner: Owner }) =>
  `(${mode.toString(8).padStart(4, '0')} ${owner})`;
