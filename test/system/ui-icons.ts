import { launchChromium } from './ui-browser.ts';

// Draws the bitmap icons of the installed page from src/interfaces/ui/icon.svg: bun test/system/ui-icons.ts
const FOLDER = 'src/interfaces/ui/icons';

const drawing = await Bun.file('src/interfaces/ui/icon.svg').text();
/** Covers the whole square, because the system cuts its own shape out of it. */
const fullBleed = drawing.replace(' rx="8"', '');

await using browser = await launchChromium('MAP * ~NOTFOUND');

async function draw(svg: string, side: number): Promise<Buffer> {
  await using page = await browser.newPage({ viewport: { width: side, height: side } });
  const sized = svg.replace('<svg ', `<svg style="display:block" width="${side}" height="${side}" `);
  await page.setContent(`<body style="margin:0">${sized}</body>`);
  return await page.screenshot({ omitBackground: true });
}

/** A Windows icon that holds one PNG picture with a side of at most 255 pixels. */
function iconOf(png: Buffer, side: number): Buffer {
  const header = Buffer.alloc(22);
  // One picture of type icon; then its width, height, planes, bits per pixel, size and offset, all in bytes.
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(side, 6);
  header.writeUInt8(side, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

for (const side of [192, 512]) await Bun.write(`${FOLDER}/icon-${side}.png`, await draw(drawing, side));
await Bun.write(`${FOLDER}/maskable-512.png`, await draw(fullBleed, 512));
await Bun.write(`${FOLDER}/touch-180.png`, await draw(fullBleed, 180));
await Bun.write(`${FOLDER}/favicon.ico`, iconOf(await draw(drawing, 48), 48));
