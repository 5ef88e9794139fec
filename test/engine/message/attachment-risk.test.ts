import { expect, test } from 'bun:test';
import { attachmentRisk } from '#src/engine/message/part-kind.ts';

test.each([
  ['setup.msi', 'program'],
  ['Scan 27.11.JS', 'program'],
  ['shortcut.lnk ', 'program'],
  ['update.vhdx', 'disk'],
  ['Angebot.xlsm', 'macros'],
  ['Mitteilung.html', 'page'],
  ['invoice.pdf.exe', 'disguised'],
  ['photo.jpg          .scr', 'disguised'],
  ['statement.pdf.html', 'disguised'],
  ['invoice\u202efdp.exe', 'disguised'],
  ['report.docx', null],
  ['photo.jpg', null],
  ['v1.2.pdf', null],
  ['README', null],
  ['', null],
] as const)('%s: %p', (name, risk) => {
  expect(attachmentRisk(name)).toBe(risk);
});
