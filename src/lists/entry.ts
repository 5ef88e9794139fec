import { isTargetProblem, parseTarget, type Target } from '#src/url/target.ts';

/**
 * One line of a list. A host stands for itself and everything under it; an address stands for itself and everything
 * below its path, on that host alone, by http and https alike.
 */
export type ListEntry =
  | { readonly kind: 'host'; readonly host: string }
  | {
      readonly kind: 'address';
      readonly host: string;
      /** The port, where the address names one that is not its scheme's own; null: any usual one. */
      readonly port: number | null;
      readonly path: string;
      readonly query: string;
    };

/** Why a line is no entry, in a sentence for the person who wrote it. */
export interface EntryProblem {
  readonly problem: string;
}

const PLAIN_HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reads one line without its comment; nothing is guessed. */
export function readEntry(text: string): ListEntry | EntryProblem {
  const refusal = refuse(text);
  if (refusal !== null) return { problem: refusal };
  const isAddress = /^https?:\/\//i.test(text);
  const target = parseTarget(
    isAddress ? text : `http://${text.includes(':') && !text.includes('[') ? `[${text}]` : text}/`,
  );
  if (isTargetProblem(target)) return { problem: `${target.message}: write a host or a URL` };
  if (!isAddress && (target.path !== '/' || target.query !== '' || target.username !== '' || text.includes(']:'))) {
    return { problem: 'is neither a host nor a URL: begin it with http:// or https://' };
  }
  if (target.username !== '' || target.hasPassword) return { problem: 'names a user, which no list may' };
  if (isAddress) {
    const usual = target.port === 80 || target.port === 443;
    return {
      kind: 'address',
      host: target.host,
      port: usual ? null : target.port,
      path: target.path,
      query: target.query,
    };
  }
  return isWholeSuffix(target)
    ? { problem: `is a public suffix, so that every site under ${target.host} would be on the list` }
    : { kind: 'host', host: target.host };
}

/** What looks like another format, told apart by what people paste. */
function refuse(text: string): string | null {
  if (PLAIN_HOST.test(text)) return null;
  if (/\[\.\]|\(\.\)|\[dot\]|^h(?:xx|\*\*|tt)ps?\[?:?\]?:?\/\//i.test(text) && !/^https?:\/\//i.test(text)) {
    return 'is defanged: write the real host or URL';
  }
  if (/\[\.\]|\(\.\)|\[dot\]/i.test(text)) return 'is defanged: write the real host or URL';
  if (/\s/.test(text)) return 'holds white space: write one host or URL a line';
  if (/^\*?\./.test(text)) return 'needs no star or dot in front: a host includes what is under it';
  if (/[*|^,;"'<>]/.test(text)) return 'is in another format: write a plain host or URL';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^https?:\/\//i.test(text)) return 'is not an http or https URL';
  return null;
}

function isWholeSuffix(target: Target): boolean {
  return target.hostKind === 'name' && (target.suffix === target.host || !target.host.includes('.'));
}
