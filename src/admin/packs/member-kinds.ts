import type { Manifest, Member } from './manifest.ts';
import { PackError } from './pack-error.ts';

/** What this program knows the members of packs to be, and what they are called. */
const KINDS = {
  /** The trained model and the weights beside it; one needs the other. */
  model: /^model\/(?:lexical\.bin|fusion\.json)$/,
  /** Brands, as `lurecheck brand` keeps them. */
  brands: /^brands\.json$/,
  /** Probabilities from which on to warn and to block. */
  thresholds: /^thresholds\.json$/,
  /** A list, in any of the formats of `lurecheck lists import`. */
  list: /^lists\/(?:block|allow)\/[a-z0-9][a-z0-9_-]{0,31}\.[a-z0-9]{1,8}$/,
  /** The key that signs from now on, in place of the one that signed this pack. */
  key: /^next-key\.pem$/,
} as const;

/** A kind of member that this program knows. */
export type MemberKind = keyof typeof KINDS;

const isKnown = (kind: string): kind is MemberKind => Object.hasOwn(KINDS, kind);

/** What a file of a folder is in a pack; null where it has no place in one. */
export function memberKindOf(name: string): MemberKind | null {
  return (Object.keys(KINDS).find((kind) => isKnown(kind) && KINDS[kind].test(name)) as MemberKind | undefined) ?? null;
}

/** The members of a pack by what they are; those of kinds that this program does not know are passed by. */
export interface SortedMembers {
  readonly known: readonly (Member & { readonly kind: MemberKind })[];
  readonly passedBy: readonly string[];
}

/** Sorts the members of a pack. Throws a PackError where one of a known kind is called otherwise. */
export function sortMembers({ members }: Pick<Manifest, 'members'>): SortedMembers {
  const known: (Member & { kind: MemberKind })[] = [];
  const passedBy: string[] = [];
  for (const member of members) {
    const { kind, name } = member;
    if (!isKnown(kind)) passedBy.push(name);
    else if (KINDS[kind].test(name)) known.push({ ...member, kind });
    else throw new PackError('unusable', `${name} in it has no place as ${kind}`);
  }
  return { known, passedBy };
}
