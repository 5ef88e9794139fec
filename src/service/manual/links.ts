import { isPart, type PartName } from './parts.ts';

/** A link to another part, such as `[words](alerts.md#lurecheckdown)`, or within the same part. */
const LINK = /\[([^\]]+)\]\((?:([a-z-]+)\.md)?(#[\w-]+)?\)/g;

/** Markers of generated blocks. */
const COMMENT = /^<!--.*-->\n/gm;

/** Returns the target of a link to a fragment of a part; the part is null for links within the same part. */
type LeadTo = (part: PartName | null, fragment: string) => string | null;

/** Returns a part without comments, with the link targets of `leadTo`; a link without target becomes its text. */
export function withLinks(markdown: string, leadTo: LeadTo): string {
  return markdown
    .replace(COMMENT, '')
    .replace(LINK, (link: string, words: string, part: string | undefined, fragment = '') => {
      if (part !== undefined && !isPart(part)) return link;
      const place = leadTo(part ?? null, fragment);
      return place === null ? words : `[${words}](<${place}>)`;
    });
}
