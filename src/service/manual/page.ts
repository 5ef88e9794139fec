import { VERSION } from '#src/core/base/version.ts';
import { withLinks } from './links.ts';
import { PARTS, type PartName } from './parts.ts';
import { TEXTS } from './texts.ts';

/** Relative paths of a page of the manual. */
export interface PagePlace {
  /** Relative URL of the manual's parts, such as `help/`; empty on a part. */
  readonly toParts: string;
  /** Relative URL of the service's web page. */
  readonly toService: string;
  /** Path of the style sheet below the web page. */
  readonly style: string;
  readonly icon: string;
}

/** On a narrow screen CSS stacks the cells of a table; these roles keep it a table for screen readers. */
const TABLE_ROLES: Readonly<Record<string, string>> = {
  table: 'table',
  thead: 'rowgroup',
  tbody: 'rowgroup',
  tr: 'row',
  th: 'columnheader',
  td: 'cell',
};

/** Matches only tags: in texts, these brackets are escaped. */
const TABLE_TAG = new RegExp(`<(${Object.keys(TABLE_ROLES).join('|')})>`, 'g');

/** Returns a part of the manual as a page that needs no script. */
export function partPage(part: PartName, { toParts, toService, style, icon }: PagePlace): string {
  const markdown = withLinks(TEXTS[part], (other, fragment) =>
    other === null ? fragment : `${toParts}${other}${fragment}`,
  );
  // Only Markdown produces markup.
  const html = Bun.markdown.html(markdown, { noHtmlBlocks: true, noHtmlSpans: true, headings: { ids: true } });
  const text = html.replace(TABLE_TAG, (_, tag: string) => `<${tag} role="${TABLE_ROLES[tag]}">`);
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? part;
  const parts = Object.keys(PARTS).map((name) => {
    const current = name === part ? ' aria-current="page"' : '';
    return `<li><a href="${toParts}${name}"${current}>${name}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${Bun.escapeHTML(title)} – lurecheck</title>
<link rel="icon" type="image/svg+xml" href="${toService}${icon}">
<link rel="stylesheet" href="${toService}${style}">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${toService || './'}"><img class="mark" src="${toService}${icon}" alt="">lurecheck</a>
<nav aria-label="Manual"><ul>
${parts.join('\n')}
</ul></nav>
</header>
<main id="main" class="manual" tabindex="-1">
${text}</main>
<footer class="bottom"><p>lurecheck ${VERSION}. In a terminal: <code>lurecheck help ${part}</code></p></footer>
</body>
</html>
`;
}
