import {
  type ModelFiles,
  type OpenedModel,
  openForeignModel,
  type openModelFiles,
  versionOf,
} from '#src/admin/active/installed-models.ts';
import type { Signer } from '#src/admin/active/pack-state.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { objectWith } from '#src/core/base/guard.ts';
import { keysIn } from '#src/core/base/public-key.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { platformProblem } from '#src/core/knowledge/brands/brand-domain.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { readServerTable, SERVER_TABLES, type ServerTable } from '#src/core/knowledge/registries/server-table.ts';
import {
  addConfiguredBrand,
  type ConfiguredBrand,
  ConfiguredBrandError,
  parseConfiguredBrands,
} from '#src/engine/analyzers/page/configured-brand.ts';
import type { Thresholds } from '#src/engine/fusion/fuse.ts';
import { isListName, type ListAction } from '#src/network/lists/stored/list-state.ts';
import { type Member, type MemberKind, sortMembers } from './manifest.ts';
import { type OpenPack, readSigner } from './open-pack.ts';
import { PackError } from './pack-error.ts';

/** The tables of the program take 12 kB; larger ones would occupy the serving thread. */
const MAX_BYTES = 64 * 1024;

/** Reads the tables of facts of a pack. Throws a PackError if one cannot be used. */
export async function factsIn(pack: OpenPack): Promise<ServerTable[]> {
  const tables: ServerTable[] = [];
  for (const member of sortMembers(pack.manifest).knownMembers) {
    if (member.kind === 'facts') tables.push(await readTable(member, pack));
  }
  return tables;
}

async function readTable(member: Member, pack: OpenPack): Promise<ServerTable> {
  const refused = (why: string, cause?: unknown) =>
    new PackError('unusable', `its ${member.name} cannot be used: ${why}`, { cause });
  const name = SERVER_TABLES.find((one) => member.name === `facts/${one}`);
  if (name === undefined) throw refused('this version knows no such table');
  if (member.bytes > MAX_BYTES) throw refused(`it has more than ${MAX_BYTES} bytes`);
  const text = new TextDecoder().decode(await pack.read(member));
  let table: ServerTable;
  try {
    table = readServerTable(name, parseJson(text));
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error), error);
  }
  const { retrieved } = table;
  const { created } = pack.manifest;
  // A day to come would keep the table in use after the program has a newer one.
  if (Date.parse(retrieved) <= Date.parse(created) + DAY_MS) return table;
  throw refused(`"retrieved" is ${retrieved}, and the pack was created on ${created.slice(0, 10)}`);
}

/** A list that a pack holds. */
export interface ListInPack {
  /** Name of the list on this host: the pack's name, a dot, and the name of its file. */
  readonly list: string;
  readonly action: ListAction;
  /** Returns the file of the list. Throws a PackError if it differs from what was signed. */
  read(): Promise<Uint8Array>;
}

/** Parsed contents of a pack. */
export interface PackContents {
  /** Null if the pack has none. */
  readonly model: OpenedModel | null;
  readonly brands: readonly ConfiguredBrand[];
  readonly lists: readonly ListInPack[];
  /** Null if the pack has none. */
  readonly thresholds: Thresholds | null;
  /** Tables of facts, used if they are newer than those of the program. */
  readonly tables: readonly ServerTable[];
  /** The key that signs later packs; null if it stays the same. */
  readonly nextKey: Signer | null;
  /** Names of members of unknown kinds. */
  readonly unknownMembers: readonly string[];
}

/**
 * Reads the contents of a pack and verifies each member; lists are read on demand.
 *
 * @param knowledge the facts beside which it is used
 * @param open opens the model; the builder of a pack requires one for this version of the program
 * @throws PackError if any part cannot be used
 */
export async function readContents(
  pack: OpenPack,
  knowledge: Knowledge,
  open: typeof openModelFiles = openForeignModel,
): Promise<PackContents> {
  const { knownMembers, unknownMembers } = sortMembers(pack.manifest);
  const files = new Map<string, Uint8Array>();
  for (const member of knownMembers)
    if (member.kind !== 'list' && member.kind !== 'facts') files.set(member.name, await pack.read(member));
  const textOf = (kind: MemberKind) => {
    const member = knownMembers.find((one) => one.kind === kind);
    const bytes = member && files.get(member.name);
    return bytes === undefined ? null : new TextDecoder().decode(bytes);
  };
  const [brands, thresholds, key] = [textOf('brands'), textOf('thresholds'), textOf('key')];
  return {
    model: readModel(files, (model) => open(model, knowledge, 'it')),
    brands: brands === null ? [] : readBrands(brands, knowledge),
    lists: listsIn(pack),
    thresholds: thresholds === null ? null : readThresholds(thresholds),
    tables: await factsIn(pack),
    nextKey: key === null ? null : readNextKey(key),
    unknownMembers,
  };
}

/** Returns the lists of a pack without reading them. Throws a PackError if two would have the same name. */
export function listsIn(pack: OpenPack): ListInPack[] {
  const lists = sortMembers(pack.manifest).knownMembers.flatMap((member): ListInPack[] => {
    if (member.kind !== 'list') return [];
    const [, action, file = ''] = member.name.split('/');
    const list = `${pack.manifest.name}.${file.slice(0, file.indexOf('.'))}`;
    return [{ list, action: action === 'allow' ? 'allow' : 'block', read: () => pack.read(member) }];
  });
  const names = lists.map(({ list }) => list);
  const wrong = names.find((list, at) => names.indexOf(list) !== at || !isListName(list));
  if (wrong !== undefined) throw unusable(`${wrong} is the name of two lists, or is not a list name`);
  return lists;
}

/** Returns the version of the model in a pack, as results show it; null if it has none. */
export function modelVersionIn({ model }: PackContents): string | null {
  return model && versionOf(model);
}

function readModel(
  files: ReadonlyMap<string, Uint8Array>,
  open: (model: ModelFiles) => OpenedModel,
): OpenedModel | null {
  const [lexical, fusion] = [files.get('model/lexical.bin'), files.get('model/fusion.json')];
  if (lexical === undefined && fusion === undefined) return null;
  if (lexical === undefined || fusion === undefined)
    throw unusable('half of the model is missing: expected model/lexical.bin and model/fusion.json');
  try {
    return open({ lexical, fusion });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw unusable(error.message, error);
  }
}

/** Reads brands by the rules that apply to brands added on the command line. */
function readBrands(text: string, knowledge: Knowledge): ConfiguredBrand[] {
  try {
    return parseConfiguredBrands(text).map(({ name, domains, pages }) => {
      const problem = domains.map((domain) => platformProblem(domain, knowledge)).find((one) => one !== null);
      if (problem) throw new ConfiguredBrandError(problem);
      const [learnt] = addConfiguredBrand([], name, domains, []);
      return { name, domains: learnt?.domains ?? [], pages };
    });
  } catch (error) {
    if (!(error instanceof ConfiguredBrandError)) throw error;
    throw unusable(`its brands.json cannot be used: ${error.message}`, error);
  }
}

const isShare = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 1;
const isThresholds = objectWith<Thresholds>({ warn: isShare, block: isShare });

function readThresholds(text: string): Thresholds {
  const json = parseJson(text);
  if (isThresholds(json) && json.warn < json.block) return { warn: json.warn, block: json.block };
  throw unusable(
    'its thresholds.json must be {"warn": …, "block": …}, two numbers between 0 and 1, the first below the second',
  );
}

function readNextKey(text: string): Signer {
  const [pem, ...more] = keysIn(text);
  if (pem === undefined || more.length > 0) throw unusable('its next-key.pem must contain one public key');
  const { fingerprint, key } = readSigner(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''));
  return { fingerprint, key };
}

function unusable(message: string, cause?: Error): PackError {
  return new PackError('unusable', message, { cause });
}
