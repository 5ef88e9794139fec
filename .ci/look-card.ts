import { analyzePage } from '#src/engine/analyzers/page.ts';
import type { PageLook } from '#src/network/probes/page-visit.ts';
import { subjectOf } from '#test/engine/analyzers/page/features-of.ts';
import { DISGUISES, PORTALS, portalPage } from '#test/support/looks/portals.ts';
import { type RenderedSource, renderLooks } from '#test/support/looks/render-looks.ts';
import { unrelatedPages } from '#test/support/looks/unrelated-pages.ts';

/** The model card, and the marks around the figures in it. */
const CARD = 'src/engine/models/MODEL_CARD.md';
const FIGURES =
  /(<!-- figures of looks: written by `bun \.ci\/look-card\.ts` -->\n)[\s\S]*?(\n<!-- end of figures -->)/;
const BROWSER = '/usr/bin/chromium-headless-shell';
const UNRELATED = 300;
/** Not the one of the pages by which the bounds were set. */
const SEED = 2;

const [listed] = process.argv.slice(2);
const files = listed === undefined ? [] : (await Bun.file(listed).text()).trim().split('\n');
const card = await Bun.file(CARD).text();
if (!FIGURES.test(card)) throw new Error(`${CARD} has no place for the figures`);
const disguises = Object.entries(DISGUISES);
const sources: RenderedSource[] = [
  ...PORTALS.map((portal) => ({ html: portalPage(portal) })),
  ...disguises.flatMap(([, disguise]) => PORTALS.map((portal) => ({ html: disguise(portal) }))),
  ...unrelatedPages(UNRELATED, SEED).map((html) => ({ html })),
  ...files.map((file) => ({ file })),
];
const looks = await renderLooks(BROWSER, sources);
const own = looks.slice(0, PORTALS.length).flatMap((look) => look ?? []);
if (own.length < PORTALS.length) throw new Error('a portal was not shown');

/** Returns true if a page on another site is found to look like one of these. */
function isFound(look: PageLook | null | undefined, portals: readonly PageLook[]): boolean {
  const subject = subjectOf('<form><input type=password></form>', 'https://elsewhere.test/');
  const { page } = subject.observations;
  if (!look || page.state !== 'observed') return false;
  const observations = { page: { ...page, value: { ...page.value, look } } };
  const looks = portals.map((one) => ({ ...one, picture: null }));
  const brand = { name: 'Own', domains: ['own.test'], pages: [], looks };
  return (analyzePage({ ...subject, observations }, [brand])?.ownPrints.length ?? 0) > 0;
}

const rows = disguises.map(([name], kind) => {
  const found = PORTALS.filter((_, at) => isFound(looks[PORTALS.length * (kind + 1) + at], own.slice(at, at + 1)));
  return { name, found: found.length };
});
const start = PORTALS.length * (disguises.length + 1);
const countIn = (some: readonly (PageLook | null)[]) => {
  const shown = some.filter((look) => look !== null);
  return `${shown.filter((look) => isFound(look, own)).length} of ${shown.length}`;
};
const others = own.filter((look, at) => isFound(look, own.toSpliced(at, 1))).length;
const found = rows.reduce((sum, row) => sum + row.found, 0);
const figures = [
  `Of ${rows.length * PORTALS.length} copies of ${PORTALS.length} invented portals, ${found} are found:`,
  '',
  '| copies | found |',
  '| --- | --- |',
  ...rows.map((row) => `| ${row.name} | ${row.found} of ${PORTALS.length} |`),
  '',
  `Of other pages, these are taken for a copy: ${countIn(looks.slice(start, start + UNRELATED))} invented sign-in pages, ` +
    `${others} of ${own.length} of the other portals${files.length === 0 ? '' : `, ${countIn(looks.slice(start + UNRELATED))} pages of packages (templates, documentation)`}.`,
].join('\n');
await Bun.write(
  CARD,
  card.replace(FIGURES, (_, begin: string, end: string) => `${begin}\n${figures}\n${end}`),
);
process.stdout.write(`${figures}\n`);
