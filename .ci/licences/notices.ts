import { basename } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { BundledPackage } from './bundled-packages.ts';
import type { BundledData } from './data.ts';
import { licencesIn, licenceText } from './licence-text.ts';
import { packageNotice } from './package-notice.ts';
import type { Runtime, RuntimeComponent } from './runtime.ts';

/** Software and data in the executable that require a notice. */
export interface Inventory {
  readonly packages: readonly BundledPackage[];
  readonly runtime: Runtime;
  readonly data: readonly BundledData[];
}

const RULE = `\n${'-'.repeat(80)}\n\n`;

/**
 * The notices of all that the executable carries, as one text that needs no other: our licence, each package with its
 * texts, what the runtime is made of and how it may be exchanged, the data, and the texts of all licences named.
 *
 * @throws Error for anything that lacks a text.
 */
export function composeNotices({ packages, runtime, data }: Inventory): string {
  return [
    ABOUT,
    ...packages.map(packageNotice),
    runtimeNotice(runtime),
    `${data.map(dataNotice).join('\n')}\n${TWO_FACTOR_AUTH}`,
    ...textsOf(runtime.components),
  ].join(RULE);
}

const ABOUT = `lurecheck ${manifest.version}
Copyright 2026 The lurecheck authors
Licensed under the Apache License, Version 2.0, whose text stands below.

The executable carries the software and data of others: first the packages that are bundled into it, each with its
licence and notices; then the runtime; then data; then the texts of the licences that the last two name.
`;

/** The tables that say "MIT for what was carried over from twofactorauth" owe this line. */
const TWO_FACTOR_AUTH = 'twofactorauth (MIT): Copyright (c) 2014-2018 Josh Davis\n';

function runtimeNotice({ about, components }: Runtime): string {
  return `The runtime, Bun ${Bun.version}, with what it links statically or embeds
${about.map((line) => `  ${line}`).join('\n')}

${components.map(componentNotice).join('\n')}
The executable uses JavaScriptCore, WTF, bmalloc and TinyCC, which are covered by the GNU Lesser General Public License,
version 2.1, whose text stands below. You may change them and link the program with what you changed: the executable is
the runtime with the program's bundle put behind it. The sources of JavaScriptCore as it is in here are those of commit
${process.versions['webkit']} of https://github.com/oven-sh/WebKit, those of TinyCC of commit
${process.versions['tinycc']} of https://github.com/oven-sh/tinycc; build Bun with yours as its
repository, https://github.com/oven-sh/bun, describes, and then the program with that Bun, from its own sources:

  bun run build --runtime PATH-OF-YOUR-BUN

The sources of what is under the Mozilla Public License 2.0 are at the addresses given.
`;
}

function componentNotice({ name, licence, copyright, source }: RuntimeComponent): string {
  const holders =
    copyright === null
      ? ''
      : copyright
          .split('; ')
          .map((line) => `  ${line}\n`)
          .join('');
  return `${name} (${licence}), ${source}\n${holders}`;
}

function dataNotice({ path, source, retrieved, licence }: BundledData): string {
  return `Data: ${basename(path)}, ${source}, retrieved ${retrieved} (${licence})\n`;
}

/** Each licence once that a component of the runtime is under. */
function textsOf(components: readonly RuntimeComponent[]): string[] {
  const ids = new Set(['Apache-2.0', ...components.flatMap(({ licence }) => licencesIn(licence))]);
  return [...ids].toSorted().map((id) => `${id}\n\n${licenceText(id)}\n`);
}
