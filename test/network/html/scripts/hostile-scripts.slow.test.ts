import { expect, test } from 'bun:test';
import { readPage } from '#src/network/html/read-page.ts';
import { growthOf, MOST_GROWTH } from '#test/linear/growth.ts';
import { HOSTILE_SCRIPTS } from './hostile-scripts.ts';

/** Characters of the shorter script: enough for the bounds of the reader to be reached. */
const LENGTH = 2 ** 18;

test.each(Object.entries(HOSTILE_SCRIPTS))(
  'reading %s takes at most 2.5 times longer for twice the length',
  async (_, codeOf) => {
    const pages = new Map<number, Uint8Array>();
    const pageOf = (length: number) =>
      pages.getOrInsertComputed(length, () => new TextEncoder().encode(`<script>location;${codeOf(length)}</script>`));
    const growth = await growthOf(
      (length) => readPage(pageOf(length), { contentType: 'text/html', url: 'https://page.example/' }),
      LENGTH,
    );
    expect(growth).toBeLessThanOrEqual(MOST_GROWTH);
  },
);
