import { gzipSync } from 'node:zlib';
import manifest from '../../package.json' with { type: 'json' };
import type { ArchiveEntry } from './archive.ts';

const DOCS = 'usr/share/doc/lurecheck';

/** What a release says of who makes it, and when. */
export interface DebianOrigin {
  /** `Name <address>` (Debian policy 5.6.2). */
  readonly maintainer: string;
  readonly date: Date;
}

/** Extended description of the package (Debian policy 5.6.13), without the synopsis. */
export const EXTENDED_DESCRIPTION = [
  'One executable with an HTTP API, a web page and a command line. It classifies',
  'a URL by its spelling, the page behind it, DNS, registration and certificate,',
  'and answers with a probability, a decision and the evidence. It works without',
  'a network, too.',
];

/** The documents that Debian policy asks for: copyright (12.5) and changelog (12.7), and why lintian is overruled. */
export function debianDocs(changelog: string, { maintainer, date }: DebianOrigin): ArchiveEntry[] {
  return [
    { path: `${DOCS}/copyright`, content: COPYRIGHT },
    { path: `${DOCS}/changelog.gz`, content: gzipSync(debianChangelog(maintainer, date), { level: 9 }) },
    { path: `${DOCS}/CHANGELOG.md.gz`, content: gzipSync(changelog, { level: 9 }) },
    { path: 'usr/share/lintian/overrides/lurecheck', content: OVERRIDES },
  ];
}

/** Debian's form (dch(1)); what changed stands in CHANGELOG.md. */
function debianChangelog(maintainer: string, date: Date): string {
  const day = date.toUTCString().replace('GMT', '+0000');
  return `lurecheck (${manifest.version}) stable; urgency=medium

  * Release ${manifest.version}: see CHANGELOG.md.gz in this folder.

 -- ${maintainer}  ${day}
`;
}

const COPYRIGHT = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: lurecheck

Files: *
Copyright: 2026 The lurecheck authors
License: Apache-2.0
 On Debian systems, the text of the Apache License, Version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
Comment:
 The executable carries software and data of others. Their notices and licences
 are in /usr/share/doc/lurecheck/THIRD-PARTY-NOTICES; \`lurecheck about licenses\` prints
 the same.
`;

const OVERRIDES = `# The executable is the Bun runtime with the program behind it: stripping removes the program, and the runtime links
# its libraries statically, for every distribution alike.
lurecheck: unstripped-binary-or-object [usr/bin/lurecheck]
lurecheck: embedded-library *
`;
