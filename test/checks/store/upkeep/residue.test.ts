import { expect, test } from 'bun:test';
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { findResidue, wipeResidue } from '#src/checks/store/upkeep/residue.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const INTERIOR = [0x02, 0x05];
const LEAF = [0x0a, 0x0d];
const PAGE_BYTES = 1024;

/** A file of SQLite by its layout (https://sqlite.org/fileformat2.html), of empty pages. */
function openPages(options: { pages: number; pageBytes?: number; reservedBytes?: number; hasMap?: boolean }) {
  const { pages, pageBytes = PAGE_BYTES, reservedBytes = 0, hasMap = false } = options;
  const directory = temporaryDirectory();
  const descriptor = openSync(`${directory.path}/pages`, 'w+');
  ftruncateSync(descriptor, pages * pageBytes);
  const header = Buffer.alloc(100);
  header.writeUInt16BE(pageBytes === 65_536 ? 1 : pageBytes, 16);
  header.writeUInt8(reservedBytes, 20);
  header.writeUInt32BE(hasMap ? 3 : 0, 52);
  writeSync(descriptor, header, 0, header.length, 0);
  return {
    descriptor,
    /** Writes a page of a kind with as many cells, whose content begins at an offset, and bytes that are not zero. */
    write(page: number, kind: number, { cells = 1, content = 500, dirty = [] as readonly number[] } = {}) {
      const bytes = Buffer.alloc(pageBytes);
      for (const offset of dirty) bytes[offset] = 0x7f;
      bytes[0] = kind;
      bytes.writeUInt16BE(cells, 3);
      bytes.writeUInt16BE(content % 65_536, 5);
      writeSync(descriptor, bytes, 0, bytes.length, (page - 1) * pageBytes);
    },
    /** Offsets of a page that are not zero, without its header of eight bytes. */
    dirtyIn(page: number): number[] {
      const bytes = Buffer.alloc(pageBytes);
      readSync(descriptor, bytes, 0, bytes.length, (page - 1) * pageBytes);
      return [...bytes.keys()].filter((offset) => offset >= 8 && bytes[offset] !== 0);
    },
    async [Symbol.asyncDispose]() {
      closeSync(descriptor);
      await directory[Symbol.asyncDispose]();
    },
  };
}

test.each([...INTERIOR.map((kind) => [kind, 12] as const), ...LEAF.map((kind) => [kind, 8] as const)])(
  'in a page of kind %p, only the space from the pointers to the cells is found and zeroed',
  async (kind, headerBytes) => {
    const [cells, content] = [3, 500];
    const from = headerBytes + 2 * cells;
    for (const [offset, isFound] of [
      [from - 1, false],
      [from, true],
      [content - 1, true],
      [content, false],
    ] as const) {
      await using file = openPages({ pages: 3 });
      file.write(2, kind, { cells, content, dirty: [offset] });
      expect([offset, findResidue(file.descriptor, 1)]).toEqual([
        offset,
        { pages: isFound ? [2] : [], nextPage: null },
      ]);
      wipeResidue(file.descriptor, [2, 3, 4]);
      expect([offset, file.dirtyIn(2)]).toEqual([offset, isFound ? [] : [offset]]);
    }
  },
);

test('the schema, pages of other kinds, full pages and malformed pages are unchanged', async () => {
  await using file = openPages({ pages: 9 });
  const dirty = [200, 300];
  file.write(2, 0x00, { dirty });
  file.write(3, 0x01, { dirty });
  file.write(4, 0x0d, { cells: 246, content: 500, dirty });
  file.write(5, 0x0d, { content: PAGE_BYTES + 1, dirty });
  file.write(6, 0x0d, { content: PAGE_BYTES, dirty });
  file.write(7, 0x0d, { cells: 245, content: 499, dirty: [498] });
  file.write(8, 0x0d);
  expect(findResidue(file.descriptor, 1)).toEqual({ pages: [6, 7], nextPage: null });
  wipeResidue(file.descriptor, [2, 3, 4, 5, 8, 9, 10]);
  expect([2, 3, 4, 5].map((page) => file.dirtyIn(page))).toEqual([dirty, dirty, dirty, dirty]);
  const schema = Buffer.from([0x0d]);
  writeSync(file.descriptor, schema, 0, 1, 0);
  wipeResidue(file.descriptor, [1]);
  expect(findResidue(file.descriptor, 1).pages).toEqual([6, 7]);
});

test('in a page of 64 KiB, a content offset of 0 is the end of the page', async () => {
  await using file = openPages({ pages: 2, pageBytes: 65_536 });
  file.write(2, 0x0d, { cells: 0, content: 65_536, dirty: [65_535] });
  expect(findResidue(file.descriptor, 1)).toEqual({ pages: [2], nextPage: null });
  wipeResidue(file.descriptor, [2]);
  expect(findResidue(file.descriptor, 1).pages).toEqual([]);
});

test.each([
  // Entries of five bytes for each page, as many as fit.
  [512, 0, [2, 105, 208]],
  [512, 12, [2, 103, 204]],
  [1024, 0, [2, 207]],
])('of pages of %p bytes with %p reserved, %p are pointer maps', async (pageBytes, reservedBytes, maps) => {
  const pages = Array.from({ length: 250 }, (_, at) => at + 1);
  for (const hasMap of [true, false]) {
    await using file = openPages({ pages: pages.length, pageBytes, reservedBytes, hasMap });
    for (const page of pages.slice(1)) file.write(page, 0x0d, { content: 300, dirty: [299] });
    const found = findResidue(file.descriptor, 1).pages;
    expect(pages.slice(1).filter((page) => !found.includes(page))).toEqual(hasMap ? maps : []);
  }
});

test('the lock page of SQLite is not a pointer map, but the next page is', async () => {
  const lockPage = 2 ** 30 / PAGE_BYTES + 1;
  await using file = openPages({ pages: lockPage + 2, hasMap: true });
  for (let page = lockPage - 1; page <= lockPage + 2; page++) file.write(page, 0x0d, { dirty: [499] });
  expect(findResidue(file.descriptor, lockPage - 1)).toEqual({
    pages: [lockPage - 1, lockPage, lockPage + 2],
    nextPage: null,
  });
});

test('reads 8 MiB at a time', async () => {
  const pages = 8 * 1024 + 2;
  await using file = openPages({ pages });
  for (const page of [2, pages - 2, pages - 1, pages]) file.write(page, 0x0d, { dirty: [499] });
  expect(findResidue(file.descriptor, 1)).toEqual({ pages: [2, pages - 2], nextPage: pages - 1 });
  expect(findResidue(file.descriptor, 2)).toEqual({ pages: [2, pages - 2, pages - 1], nextPage: pages });
  expect(findResidue(file.descriptor, 3)).toEqual({ pages: [pages - 2, pages - 1, pages], nextPage: null });
  expect(findResidue(file.descriptor, pages + 1)).toEqual({ pages: [], nextPage: null });
});

test('a file with so many pages that page numbers look like pages is refused', async () => {
  // The first byte of the number of such a page is that of an interior page.
  const tooMany = 0x02_00_00_00;
  await using last = openPages({ pages: tooMany - 1, pageBytes: 512 });
  expect(findResidue(last.descriptor, tooMany - 1)).toEqual({ pages: [], nextPage: null });
  await using file = openPages({ pages: tooMany, pageBytes: 512 });
  expect(() => findResidue(file.descriptor, 1)).toThrow(`${tooMany} pages`);
  expect(() => wipeResidue(file.descriptor, [2])).toThrow(`${tooMany} pages`);
});
