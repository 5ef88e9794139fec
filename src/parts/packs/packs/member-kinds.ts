import { SERVER_TABLES } from '#src/core/knowledge/registries/server-table.ts';
import type { Manifest, Member } from './manifest.ts';
import { PackError } from './pack-error.ts';

/** Kinds of members, each with its file names. */
const KINDS = {
  /** The trained model and the weights beside it; one needs the other. */
  model: /^model\/(?:lexical\.bin|fusion\.json)$/,
  /** Brands, in the format of `lurecheck brand`. */
  brands: /^brands\.json$/,
  /** Probabilities from which a check warns and blocks. */
  thresholds: /^thresholds\.json$/,
  /** A list, in any of the formats of `lurecheck lists import`. */
  list: /^lists\/(?:block|allow)\/[a-z0-9][a-z0-9_-]{0,31}\.[a-z0-9]{1,8}$/,
  /** A table of facts that the program has too. */
  facts: /^facts\/(?:rdap|whois)-servers\.json$/,
  /** The successor of the key that signed this pack. */
  key: /^next-key\.pem$/,
} as const;

/** A known kind of member. */
export type MemberKind = keyof typeof KINDS;

const isKnown = (kind: string): kind is MemberKind => Object.hasOwn(KINDS, kind);

/** Tables of facts that a pack may contain, in words. */
export const FACTS_IN_PACKS = `of facts, packs may contain ${SERVER_TABLES.map((name) => `facts/${name}`).join(' and ')}`;

/** Returns the kind of a file in a pack folder; null if packs cannot contain it. */
export function memberKindOf(name: string): MemberKind | null {
  return (Object.keys(KINDS).find((kind) => isKnown(kind) && KINDS[kind].test(name)) as MemberKind | undefined) ?? null;
}

/** Members of a pack, by known and unknown kinds. */
export interface SortedMembers {
  readonly knownMembers: readonly (Member & { readonly kind: MemberKind })[];
  readonly unknownMembers: readonly string[];
}

/** Sorts the members of a pack. Throws a PackError if a known kind has an unexpected name. */
export function sortMembers({ members }: Pick<Manifest, 'members'>): SortedMembers {
  const knownMembers: (Member & { kind: MemberKind })[] = [];
  const unknownMembers: string[] = [];
  for (const member of members) {
    const { kind, name } = member;
    if (!isKnown(kind)) unknownMembers.push(name);
    else if (KINDS[kind].test(name)) knownMembers.push({ ...member, kind });
    else {
      const allowed = kind === 'facts' ? `: ${FACTS_IN_PACKS}` : '';
      throw new PackError('unusable', `its member ${name} is not valid for the kind ${kind}${allowed}`);
    }
  }
  return { knownMembers, unknownMembers };
}
