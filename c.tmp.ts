import { readSources } from './test/support/source-files.ts';

const g = await Bun.file('test/glossary.test.ts').text();
const NOT = [...g.slice(g.indexOf('const NOT'), g.indexOf('];')).matchAll(/^ {2}(\/.*\/i?),$/gm)].map((m) =>
  eval(m[1]),
);
const extra = [
  /\bkept\b|\bkeeps?\b/i,
  /\bgone\b|\bgo away\b|goes away/i,
  /\bnobody\b/i,
  /\bsays?\b|\bsaid\b/i,
  /\bit is to\b|is to be\b/i,
  /\ball the same\b|\blest\b|\bof its own\b/i,
  /^(\/\*\*|\/\/) (What|Whether|How|Where|That|Those|Of|Such|As)\b/,
];
const skip = /^(checks\/store\/postgres|app\/fleet|admin|service)\//;
const ids: any[] = [];
const out: string[] = [];
const n = 0;
const only = new RegExp(process.argv[2] ?? '.');
for (const { path, text } of await readSources()) {
  if (skip.test(path) || !only.test(path)) continue;
  const re = /\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/ (?!biome|@).*\n?)+/gm;
  for (const m of text.matchAll(re)) {
    const raw = m[0];
    const isLine = !raw.startsWith('/**');
    const t = isLine
      ? raw
          .split('\n')
          .map((l) => l.trim().replace(/^\/\/ ?/, ''))
          .filter(Boolean)
          .join(' ')
      : raw
          .replace(/^\/\*\*\s*|\s*\*\/$/g, '')
          .replace(/\n\s*\* ?/g, '\n')
          .replace(/(?<!\n)\n(?!\n|@|- )/g, ' ')
          .trim();
    const plain = t.replace(/`[^`]*`/g, '');
    const hit = NOT.some((w) => w.test(plain));
    const soft = !hit && extra.some((w) => w.test((isLine ? '// ' : '/** ') + plain));
    if (!(hit || (process.argv[3] === 'soft' && soft))) continue;
    ids.push({ path, raw, isLine });
    out.push(
      `${ids.length - 1}\t${t.replaceAll('\n', '¶')}\t[${path.split('/').slice(-2).join('/')}] ${text
        .slice(m.index + raw.length)
        .trim()
        .split('\n')[0]
        .slice(0, 70)}`,
    );
  }
}
await Bun.write('/tmp/h28-bin/ids.json', JSON.stringify(ids));
console.log(out.join('\n'));
