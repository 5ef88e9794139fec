import { isPart, type PartName } from './parts.ts';

/** A link to another part, as a forge follows it: `[their words](alerts.md#lurecheckdown)`; or within its own. */
const LINK = /\[([^\]]+)\]\((?:([a-z]+)\.md)?(#[\w-]+)?\)/g;

/** What the build writes between, which is for nobody to read. */
const COMMENT = /^<!--.*-->\n/gm;

/** Where a link to a part leads, and to which place in it; the part is null for the one in which the link stands. */
type LeadTo = (part: PartName | null, fragment: string) => string | null;

/** A part without comments, in which links to parts lead where `leadTo` says; where that is null, their words are left. */
export function withLinks(markdown: string, leadTo: LeadTo): string {
  return markdown
    .replace(COMMENT, '')
    .replace(LINK, (link: string, words: string, part: string | undefined, fragment = '') => {
      if (part !== undefined && !isPart(part)) return link;
      const place = leadTo(part ?? null, fragment);
      return place === null ? words : `[${words}](<${place}>)`;
    });
}
