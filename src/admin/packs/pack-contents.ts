import { learnOwnBrand, type OwnBrand, OwnBrandError, readOwnBrands } from '#src/engine/analyzers/page/configured-brand.ts';
import { objectWith } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { keysIn } from '#src/core/base/public-key.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import type { Thresholds } from '#src/engine/fusion/decide.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isListName, type ListAction } from '#src/network/lists/stored/list-state.ts';
import { type MemberKind, sortMembers } from './member-kinds.ts';
import type { OpenPack } from './open-pack.ts';
import { PackError } from './pack-error.ts';
import { readSigner, type Signer } from './seal.ts';
import { platformProblem } from '#src/core/knowledge/brands/brand-domain.ts';
import { type ModelFiles, type OpenedModel, openCarriedModel, type openModelFiles, versionOf } from '#src/admin/models/installed-models.ts';

/** A list that a pack holds. */
export interface ListInPack {
  /** What it is called on this box: the pack's name, a dot, and that of its file. */
  readonly list: string;
  readonly action: ListAction;
  /** Its file, whole. Throws a PackError where it is not as it was signed. */
  read(): Promise<Uint8Array>;
}

/** What a pack holds, read. */
export interface PackContents {
  /** Null where it holds none. */
  readonly model: OpenedModel | null;
  readonly brands: readonly OwnBrand[];
  readonly lists: readonly ListInPack[];
  /** Null where it holds none. */
  readonly thresholds: Thresholds | null;
  /** The key that signs from this pack on; null where it stays the one. */
  readonly nextKey: Signer | null;
  /** The names of members of kinds that this program does not know. */
  readonly passedBy: readonly string[];
}

/**
 * Reads all that a pack holds, each member once it is known to be as it was signed; lists are read when they are asked for.
 *
 * @param knowledge what it is to be used beside
 * @param open how a model is opened: whoever makes a pack holds it to this very version of the program
 * @throws PackError where any of it cannot be used
 */
export async function readContents(
  pack: OpenPack,
  knowledge: Knowledge,
  open: typeof openModelFiles = openCarriedModel,
): Promise<PackContents> {
  const { known, passedBy } = sortMembers(pack.manifest);
  const files = new Map<string, Uint8Array>();
  for (const member of known) if (member.kind !== 'list') files.set(member.name, await pack.read(member));
  const textOf = (kind: MemberKind) => {
    const member = known.find((one) => one.kind === kind);
    const bytes = member && files.get(member.name);
    return bytes === undefined ? null : new TextDecoder().decode(bytes);
  };
  const [brands, thresholds, key] = [textOf('brands'), textOf('thresholds'), textOf('key')];
  return {
    model: readModel(files, (model) => open(model, knowledge, 'it')),
    brands: brands === null ? [] : readBrands(brands, knowledge),
    lists: listsIn(pack),
    thresholds: thresholds === null ? null : readThresholds(thresholds),
    nextKey: key === null ? null : readNextKey(key),
    passedBy,
  };
}

/** The lists that a pack holds, none of them read yet. Throws a PackError where two would have one name. */
export function listsIn(pack: OpenPack): ListInPack[] {
  const lists = sortMembers(pack.manifest).known.flatMap((member): ListInPack[] => {
    const [, action, name] = /^lists\/(block|allow)\/([^.]+)/.exec(member.name) ?? [];
    if (member.kind !== 'list' || name === undefined) return [];
    const list = `${pack.manifest.name}.${name}`;
    return [{ list, action: action === 'allow' ? 'allow' : 'block', read: () => pack.read(member) }];
  });
  const names = lists.map(({ list }) => list);
  const wrong = names.find((list, at) => names.indexOf(list) !== at || !isListName(list));
  if (wrong !== undefined) throw unusable(`two lists in it would be called ${wrong}, or that is no name for a list`);
  return lists;
}

/** What answers call the model of a pack; null where it holds none. */
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
    throw unusable('half of the model is missing: it takes model/lexical.bin and model/fusion.json');
  try {
    return open({ lexical, fusion });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw unusable(error.message, error);
  }
}

/** What came from elsewhere is held against what somebody would be told who teaches a brand by hand. */
function readBrands(text: string, knowledge: Knowledge): OwnBrand[] {
  try {
    return readOwnBrands(text).map(({ name, domains, pages }) => {
      const problem = domains.map((domain) => platformProblem(domain, knowledge)).find((one) => one !== null);
      if (problem) throw new OwnBrandError(problem);
      const [learnt] = learnOwnBrand([], name, domains, []);
      return { name, domains: learnt?.domains ?? [], pages };
    });
  } catch (error) {
    if (!(error instanceof OwnBrandError)) throw error;
    throw unusable(`brands.json in it cannot be used: ${error.message}`, error);
  }
}

const isShare = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 1;
const isThresholds = objectWith<Thresholds>({ warn: isShare, block: isShare });

function readThresholds(text: string): Thresholds {
  const json = parseJson(text);
  if (isThresholds(json) && json.warn < json.block) return { warn: json.warn, block: json.block };
  throw unusable(
    'thresholds.json in it must be {"warn": …, "block": …}, two numbers between 0 and 1, the first below the second',
  );
}

function readNextKey(text: string): Signer {
  const [pem, ...more] = keysIn(text);
  if (pem === undefined || more.length > 0) throw unusable('next-key.pem in it must hold one public key');
  const { fingerprint, key } = readSigner(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''));
  return { fingerprint, key };
}

function unusable(message: string, cause?: Error): PackError {
  return new PackError('unusable', message, { cause });
}
