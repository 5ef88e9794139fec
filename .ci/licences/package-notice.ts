import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledPackage } from './bundled-packages.ts';
import { licenceText, textForAll } from './licence-text.ts';

/** The files of a package that must come along, in this order: its licence, its notice, and those of what it bundles itself. */
const LEGAL_FILE = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$|\.LICENSE\.txt$/i;

/** Builds of swagger-ui-dist that are not in the executable have files like that of their own. */
const OTHER_BUILDS = /^swagger-ui-(?:es-bundle|es-bundle-core|standalone-preset)\.js\./;

/** Notices of packages that bring no licence file, from the head of their code (xz-decompress 0.2.3). */
const NOTICES: Readonly<Record<string, string>> = {
  'xz-decompress': `Copyright (c) Tim Perry; based on xzwasm, Copyright (c) Steve Sanderson (MIT); contains walloc,
Copyright (c) 2020 Igalia, S.L. (MIT), and xz-embedded by Lasse Collin and Igor Pavlov, which is in the public domain.`,
};

/**
 * What must be said of a package: every licence text and notice that it brings.
 *
 * @throws Error where it brings none, and its licence is not one whose text is the same for all.
 */
export function packageNotice({ name, version, licence, folder }: BundledPackage): string {
  const files = readdirSync(folder)
    .filter((file) => LEGAL_FILE.test(file) && !OTHER_BUILDS.test(file))
    .toSorted();
  const texts = files.map((file) => `${file}:\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
  if (!files.some((file) => !/^notice/i.test(file))) {
    const notice = NOTICES[name];
    const text = notice === undefined ? textForAll(licence) : `${notice}\n\n${licenceText(licence)}`;
    if (text === null) throw new Error(`${name} ${version} (${licence}) brings no licence text`);
    texts.unshift(`The package brings no text of its licence, which is:\n\n${text}\n`);
  }
  return `${name} ${version} (${licence})\n\n${texts.join('\n')}`;
}
