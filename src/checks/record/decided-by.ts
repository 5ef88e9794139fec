import { type Static, Type } from '@sinclair/typebox';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import type { ListHits, Observations } from '#src/network/probes/observations.ts';
import { stringEnum } from './bounded-schema.ts';

/** Ways in which requests come to the gate. */
const GATE_WAYS = ['icap', 'milter'] as const;

export type GateWay = (typeof GATE_WAYS)[number];

/** Rules by which the gate holds a request. */
const HOLDING_RULES = ['list-blocks', 'deep', 'spelling'] as const;

/** Mark of a request that the gate held, or would have held. */
export const GateMarkSchema = Type.Object(
  {
    way: stringEnum<GateWay>(GATE_WAYS, { description: 'How the request came' }),
    rule: stringEnum<(typeof HOLDING_RULES)[number]>(HOLDING_RULES, { description: 'Rule that decided' }),
    held: Type.Boolean({ description: 'False if it passed: `gate_mode` is `watch`, or `milter_on_block` is `mark`' }),
    user: Type.Optional(Type.String({ description: 'Name that the proxy stated; only with `gate_log_users`' })),
    queue_id: Type.Optional(Type.String({ description: 'Number of the mail at the mail server' })),
  },
  { $id: 'GateMark', description: 'Why the gate held a request; only in the private log' },
);

export type GateMark = Static<typeof GateMarkSchema>;

/** Ways in which requests reach the service. A record stores the index: new ones are appended, none is moved. */
export const VIAS = ['page', 'api', 'cli', 'gate', 'mail', 'misp'] as const;

export type Via = (typeof VIAS)[number];

/** Schema of the way of a request; null in records of versions that did not store it. */
export const ViaSchema = Type.Union(
  [
    stringEnum<Via>(VIAS, {
      $id: 'Via',
      description:
        '`page`: a form of the web page or the console; `api`: a program; `cli`: the command line; `gate`: a web proxy; `mail`: a mail server; `misp`: the module for MISP',
    }),
    Type.Null(),
  ],
  { description: 'How the request came; null for a check that an earlier version logged' },
);

/** Owner of the lists that settings name; the other owners are those of `/api/admin/lists`. */
export const SETTING_OWNER = 'setting';

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** Schema of the list entry that decided a check. */
export const DecidedBySchema = Type.Union(
  [
    Type.Object(
      {
        list: textOrNull('Name of the list; null for readers of the public history without a key'),
        entry: textOrNull('The entry that covers the URL, or a URL in it or behind it; null likewise'),
        source: textOrNull(
          'Owner of the list: `operator`, `feedback`, `source` for a scheduled import, `pack` and its name, or `setting`; null if an earlier version logged the check',
        ),
      },
      { $id: 'DecidedBy', description: 'The list entry that decided' },
    ),
    Type.Null(),
  ],
  { description: 'The list entry without which the verdict would not stand; null if no list decided' },
);

export type DecidedBy = NonNullable<Static<typeof DecidedBySchema>>;

/** Origin of a check. */
export interface Provenance {
  readonly via: Via | null;
  readonly decided_by: DecidedBy | null;
}

/** Reasons of lists that decide alone, strongest first, by the verdict that they lead to. */
const DECIDING: Readonly<Record<Decision, readonly string[]>> = {
  block: ['lists.kept_blocked', 'lists.blocked'],
  warn: [],
  allow: ['lists.kept_allowed', 'lists.allowed'],
};

/** Reasons of lists that decide together with other evidence, if the verdict would differ without them. */
const CONTRIBUTING: readonly string[] = ['lists.suspected', 'lists.trusted', ...Object.values(DECIDING).flat()];

interface Found {
  readonly code: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** Returns the entry that decided, by the reasons of a verdict; null if no list did. */
export function decidingEntry(
  decision: Decision,
  reasons: readonly Found[],
  decisive: Found | null,
): { readonly list: string; readonly entry: string } | null {
  const codes = DECIDING[decision];
  const alone = codes.flatMap((code) => reasons.find((reason) => reason.code === code) ?? [])[0];
  const reason = alone ?? (decisive && CONTRIBUTING.includes(decisive.code) ? decisive : null);
  const { list, entry } = reason?.args ?? {};
  return typeof list === 'string' && typeof entry === 'string' ? { list, entry } : null;
}

/** Returns the owner of a list among the hits of a target; null for one that is not among them. */
export function ownerOf(
  list: string,
  { lists, hopLists = [] }: Pick<Observations, 'lists' | 'hopLists'>,
): string | null {
  const own = lists.state === 'observed' ? [lists.value] : [];
  const hits = [...own, ...hopLists.map((hop) => hop.hits)].flatMap((one) => [one, ...insideOf(one)]);
  const stored = hits.flatMap(({ kept = [] }) => kept).find((hit) => hit.list === list);
  if (stored) return stored.owner ?? null;
  return hits.some(({ blocked, allowed }) => blocked?.list === list || allowed?.list === list) ? SETTING_OWNER : null;
}

function insideOf({ inside = [] }: ListHits): readonly ListHits[] {
  return inside.map(({ hits }) => hits);
}

/** Returns the way of a check that the gate recorded; null for any other. */
export function viaOfGate(mark: GateMark | undefined): Via | null {
  return mark ? VIA_OF_GATE[mark.way] : null;
}

const VIA_OF_GATE: Readonly<Record<GateMark['way'], Via>> = { icap: 'gate', milter: 'mail' };
