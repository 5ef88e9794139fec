import type { AboutService } from '#src/checks/record/about.ts';
import { LICENSE, VERSION } from '#src/core/base/version.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import type { ResultSigner } from '#src/service/server/results/result-signer.ts';
import type { Background } from './background.ts';
import type { ConfigFor } from './config.ts';
import type { Engine } from './engine.ts';
import { factAgesWith, OLDEST_FACTS } from './fact-ages.ts';
import type { LogUpkeep } from './open-log.ts';

/** Describes the service for the public, without its paths or users. */
export function aboutService(
  config: ConfigFor<'serve'>,
  engine: Pick<Engine, 'modelVersion' | 'modelDate' | 'lists' | 'packs'>,
  { packs }: Pick<ReturnType<Background['packs']>, 'packs'>,
  results: Pick<ResultSigner, 'publicKey'>,
  upkeep: Pick<LogUpkeep, 'retention'>,
): AboutService {
  return {
    version: VERSION,
    model: { version: engine.modelVersion(), date: engine.modelDate() },
    oldest_facts: factAgesWith(engine.packs().tables)[0] ?? OLDEST_FACTS,
    network: config.network,
    lists: [...described('block', engine.lists), ...described('allow', engine.lists), ...storedOf(engine.lists)],
    packs: packs.map(describedPack),
    retention: upkeep.retention(),
    license: LICENSE,
    result_key: results.publicKey(),
  };
}

function described(action: 'block' | 'allow', lists: LocalLists): AboutService['lists'] {
  return lists[action].map(({ name, index, changedAtMs }) => ({
    name,
    action,
    entries: index.size,
    changed_at: changedAtMs === null ? null : new Date(changedAtMs).toISOString(),
  }));
}

function storedOf({ stored }: LocalLists): AboutService['lists'] {
  return stored.map(({ version: { name, action, entries, changed_at } }) => ({ name, action, entries, changed_at }));
}

function describedPack(pack: ReturnType<Background['packs']>['packs'][number]): AboutService['packs'][number] {
  const { name, version, publisher, expires: expires_at } = pack;
  return { name, version, publisher, expires_at, state: stateOf(pack) };
}

function stateOf({
  problem,
  isRevoked,
  isExpired,
}: ReturnType<Background['packs']>['packs'][number]): AboutService['packs'][number]['state'] {
  if (problem !== null) return 'unusable';
  if (isRevoked) return 'revoked';
  return isExpired ? 'expired' : 'in_force';
}
