const MAX_LOCAL_LENGTH = 64;
const DOMAIN = /(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/uy;

/** Replaces each e-mail address in a text. */
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

/** Returns true if a text contains an e-mail address. */
export function holdsMailAddress(text: string): boolean {
  let found = false;
  replaceMailAddresses(text, (address) => {
    found = true;
    return address;
  });
  return found;
}

/** Returns the start of the local part. Letters of all scripts are allowed (RFC 6531). */
function localPartStart(text: string, from: number, at: number): number {
  let start = at;
  while (start > from && isLocalCharacter(text.charCodeAt(start - 1))) start--;
  return start;
}

const LOCAL_CHARACTER = /[\w.%+'-]/;

function isLocalCharacter(code: number): boolean {
  return code > 0x7f || LOCAL_CHARACTER.test(String.fromCharCode(code));
}
