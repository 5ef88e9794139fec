import { NOTICE_CODES } from '#src/core/base/text/condition.ts';
import { backupPart } from '#src/parts/backup/part.ts';
import { browserPart } from '#src/parts/browser/part.ts';
import { consolePart } from '#src/parts/console/part.ts';
import { exportPart } from '#src/parts/export/part.ts';
import { feedsPart } from '#src/parts/feeds/part.ts';
import { fleetPart } from '#src/parts/fleet/part.ts';
import { hostPart } from '#src/parts/host/part.ts';
import { listsPart } from '#src/parts/lists/part.ts';
import { mailPart } from '#src/parts/mail/part.ts';
import { monitoringPart } from '#src/parts/monitoring/part.ts';
import { packPart } from '#src/parts/packs/part.ts';
import { postgresPart } from '#src/parts/postgres/part.ts';
import { proxyPart } from '#src/parts/proxy/part.ts';
import { tuningPart } from '#src/parts/tuning/part.ts';

/** Every part, in the order in which a service opens them; `part-basis.ts` has their settings. */
export const ALL_PARTS = [
  consolePart,
  postgresPart,
  fleetPart,
  backupPart,
  hostPart,
  monitoringPart,
  tuningPart,
  listsPart,
  packPart,
  proxyPart,
  mailPart,
  feedsPart,
  browserPart,
  exportPart,
] as const;

/** Names of all states that a service reports as notices. */
export const CONDITION_CODES: readonly string[] = [
  ...NOTICE_CODES,
  ...ALL_PARTS.flatMap(({ conditions }) => conditions),
];

/** The names of the parts. */
export type PartKey = (typeof ALL_PARTS)[number]['name'];

/** An open part by its name. */
export type OpenedOf<Key extends PartKey> = Awaited<
  ReturnType<Extract<(typeof ALL_PARTS)[number], { readonly name: Key }>['open']>
>;

/** A member for the functions of each part, so that they are parameters of one function. */
type OfPart<Part> = Part extends { readonly provides: infer Provides } ? (provides: Provides) => void : never;

/** Functions of parts that the core calls, by name; each is loaded when it is called. */
export const PROVIDED: OfPart<(typeof ALL_PARTS)[number]> extends (provides: infer All) => void ? All : never =
  Object.assign({}, ...ALL_PARTS.map(({ provides }) => provides));

/** The result of a function of a part. */
export type Provided<Name extends keyof typeof PROVIDED> = Awaited<
  ReturnType<Awaited<ReturnType<(typeof PROVIDED)[Name]>>>
>;
