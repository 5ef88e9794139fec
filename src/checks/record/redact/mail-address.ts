const MAX_LOCAL_LENGTH = 64;
const DOMAIN = /(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/uy;

/** The text with each e-mail address in it replaced. */
export function replaceMailAddresses(text: string, replace: (address: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const start = localPartStart(text, Math.max(done, at - MAX_LOCAL_LENGTH), at);
    if (start === at) continue;
    DOMAIN.lastIndex = at + 1;
    if (!DOMAIN.test(text)) continue;
    parts.push(text.slice(done, start), replace(text.slice(start, DOMAIN.lastIndex)));
    done = DOMAIN.lastIndex;
  }
  return done === 0 ? text : parts.join('') + text.slice(done);
}

/** Whether there is an e-mail address in a text. */
export function holdsMailAddress(text: string): boolean {
  let found = false;
  replaceMailAddresses(text, (address) => {
    found = true;
    return address;
  });
  return found;
}

/** Where the characters begin that may stand left of the `@`. Letters of all scripts may (RFC 6531). */
function localPartStart(text: string, from: number, at: number): number {
  let start = at;
  while (start > from && isLocalCharacter(text.charCodeAt(start - 1))) start--;
  return start;
}

const LOCAL_CHARACTER = /[\w.%+'-]/;

function isLocalCharacter(code: number): boolean {
  return code > 0x7f || LOCAL_CHARACTER.test(String.fromCharCode(code));
}
