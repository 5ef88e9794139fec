import { CODINGS, LINKS, REDIRECTS, STATUSES } from './answers.ts';
import { BEHIND_HONEST_WORDS } from './behind-honest-words.ts';
import { BUILT, MARKUP_ELSEWHERE, MARKUP_ENCODED, MARKUP_IN_LITERALS } from './built-by-script.ts';
import { CHARSETS } from './charsets.ts';
import { FRAMES_OF_A_SITE, FRAMES_OF_OTHER_KINDS } from './frames.ts';
import { CHALLENGES, COOKIES_AND_CLOAKS } from './gates.ts';
import { SCRIPTS_AWAY, SCRIPTS_WITHIN } from './script-redirects.ts';
import { FIELDS_OF_THE_PAGE, WORDS } from './text-and-fields.ts';
import { type Kit, kitOf, type Site, type Tricks } from './trick.ts';
import { TYPES } from './types.ts';

/** A row of the table. */
export interface TrickRow {
  readonly kind: string;
  readonly name: string;
  readonly kit: Kit;
  readonly site: Site;
}

/** The kind that has the page of each brand without a trick. */
export const PLAIN_KIND = 'the page as it is';

/** All tricks by kind. To add one, add a member to its file. */
const KINDS: Readonly<Record<string, Tricks>> = {
  [PLAIN_KIND]: Object.fromEntries(
    ['one', 'two', 'three', 'four', 'five'].map((name) => [`brand ${name}`, ({ page }) => ({ '/': page })]),
  ),
  'markup in literals': MARKUP_IN_LITERALS,
  'markup encoded': MARKUP_ENCODED,
  'markup elsewhere': MARKUP_ELSEWHERE,
  'built by script': BUILT,
  'frames of a site': FRAMES_OF_A_SITE,
  'other frames': FRAMES_OF_OTHER_KINDS,
  'behind honest words': BEHIND_HONEST_WORDS,
  words: WORDS,
  fields: FIELDS_OF_THE_PAGE,
  types: TYPES,
  charsets: CHARSETS,
  codings: CODINGS,
  statuses: STATUSES,
  redirects: REDIRECTS,
  'scripts within the site': SCRIPTS_WITHIN,
  'scripts to another site': SCRIPTS_AWAY,
  'cookies and cloaks': COOKIES_AND_CLOAKS,
  challenges: CHALLENGES,
  'links alone': LINKS,
};

/** The table. Kinds follow each other, so that each brand has tricks of each kind. */
export const TRICKS: readonly TrickRow[] = Object.entries(KINDS)
  .flatMap(([kind, tricks]) => Object.entries(tricks).map(([name, trick]) => ({ kind, name, trick })))
  .map(({ kind, name, trick }, row) => {
    const kit = kitOf(row);
    return { kind, name, kit, site: trick(kit) };
  });
