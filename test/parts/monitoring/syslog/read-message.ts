const GRAMMAR =
  /^(<\d{1,3}>1) (\S+Z) ([!-~]{1,255}) ([!-~]{1,48}) ([!-~]{1,128}) ([!-~]{1,32}) - \ufeff([!-~]{1,32})((?: [^\s="\]]{1,64}="(?:[^"\\]|\\["\\])*")*)$/u;

/** Parses a message of RFC 5424. Throws if it is none, or if its text is not an event and its values. */
export function readSyslogMessage(message: string): {
  readonly header: readonly string[];
  readonly event: string;
  readonly values: Readonly<Record<string, string>>;
} {
  const parts = GRAMMAR.exec(message)?.slice(1);
  if (!parts) throw new Error(`not RFC 5424: ${JSON.stringify(message)}`);
  const [event = '', data = ''] = parts.splice(-2);
  const pairs = data.matchAll(/ ([^\s="\]]+)="((?:[^"\\]|\\["\\])*)"/g);
  const values = Object.fromEntries(
    [...pairs].map(([, name = '', value = '']) => [name, value.replace(/\\(["\\])/g, '$1')]),
  );
  return { header: parts, event, values };
}
