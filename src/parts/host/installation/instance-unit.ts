/** Lines of the unit that instances must not share, each with its replacement, which contains %i. */
const LINES: readonly (readonly [string, string])[] = [
  ['Description=lurecheck phishing link checker', 'Description=lurecheck phishing link checker (process %i)'],
  [
    'EnvironmentFile=-/etc/lurecheck/environment',
    'Environment=LURECHECK_NODE_NAME=%l-%i\nEnvironmentFile=-/etc/lurecheck/environment\nEnvironmentFile=-/etc/lurecheck/environment-%i',
  ],
  ['serve --data-dir /var/lib/lurecheck\n', 'serve --reuse-port --data-dir /var/lib/lurecheck-%i\n'],
  ['StateDirectory=lurecheck\n', 'StateDirectory=lurecheck-%i\n'],
  ['RuntimeDirectory=lurecheck\n', 'RuntimeDirectory=lurecheck-%i\n'],
  ['unix:/run/lurecheck/http.sock', 'unix:/run/lurecheck-%i/http.sock'],
];

/**
 * The unit for several processes on one port, `lurecheck@.service`, out of that for one: as hardened, with a data directory
 * of its own for each.
 */
export function instanceUnit(unit: string): string {
  return LINES.reduce((text, [line, ofInstance]) => {
    if (!text.includes(line)) throw new Error(`the unit has no line “${line.trim()}”`);
    return text.replace(line, ofInstance);
  }, unit);
}
