const GRAMMAR =
  /^(<\d{1,3}>1) (\S+Z) ([!-~]{1,255}) ([!-~]{1,48}) ([!-~]{1,128}) ([!-~]{1,32}) \[[^\s="\]]{1,32}((?: [^\s="\]]{1,32}="(?:[^"\\\]]|\\["\\\]])*")*)\] \ufeff?(.*)$/u;

/** A message of RFC 5424 taken apart. Throws where it is none. */
export function readSyslogMessage(message: string): {
  readonly header: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly text: string;
} {
  const parts = GRAMMAR.exec(message)?.slice(1);
  if (!parts) throw new Error(`not RFC 5424: ${JSON.stringify(message)}`);
  const [data = '', text = ''] = parts.splice(-2);
  const params = data.matchAll(/ ([^\s="\]]+)="((?:[^"\\\]]|\\["\\\]])*)"/g);
  const values = Object.fromEntries(
    [...params].map(([, name = '', value = '']) => [name, value.replace(/\\(["\\\]])/g, '$1')]),
  );
  return { header: parts, values, text };
}
