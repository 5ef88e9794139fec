/** Parts of a command by their first operand, with their command lines. */
export const MERGED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  nodes: { database: ['database'], spool: ['spool'] },
  // What a manual of a fleet calls them; no listed command, since the manual has a part of this name.
  fleet: { nodes: ['nodes'], database: ['database'], spool: ['spool'] },
  doctor: { selftest: ['selftest'], healthcheck: ['healthcheck'] },
  log: { delete: ['history', 'delete'], deletions: ['history', 'deletions'], exports: ['history', 'exports'] },
  model: { train: ['train'], evaluate: ['evaluate'] },
  about: Object.fromEntries(['licenses', 'sbom', 'openapi', 'man', 'completions'].map((name) => [name, [name]])),
};

/** Commands that are parts of another one; their own names stay as aliases, which neither help nor completions list. */
const FORMER: ReadonlySet<string> = new Set(
  Object.keys(MERGED)
    .flatMap(commandParts)
    .map(([, command]) => command)
    .filter((command) => !Object.hasOwn(MERGED, command)),
);

/** Returns true if help and completions list a command by its own name. */
export const isListed = (name: string): boolean => !FORMER.has(name);

/** Returns the names of the parts of a command, and the commands that they are. */
export function commandParts(name: string): readonly (readonly [part: string, command: string])[] {
  return Object.entries(MERGED[name] ?? {}).map(([part, [command = '']]) => [part, command]);
}

/** Returns how a command is written: `doctor selftest`, or `log` for one whose actions are parts of it. */
export function writtenName(name: string): string {
  for (const group of isListed(name) ? [] : Object.keys(MERGED)) {
    for (const [part, command] of commandParts(group)) {
      if (command === name) return part === name ? `${group} ${name}` : group;
    }
  }
  return name;
}

/** Returns the operands of a command and its parts, for help. */
export function operandsWithParts({ name, operands }: { readonly name: string; readonly operands: string }): string {
  const parts = commandParts(name)
    .map(([part]) => part)
    .join(' | ');
  if (parts === '' || operands === '') return parts === '' ? operands : `[${parts}]`;
  return `${operands} | ${parts}`;
}
