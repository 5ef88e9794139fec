import { factAgesWith } from '#src/app/fact-ages.ts';
import type { Classifier } from '#src/app/scoring/classifier.ts';
import { shortId } from '#src/core/base/public-key.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { SERVER_TABLES } from '#src/core/knowledge/registries/server-table.ts';
import { changedText } from '#src/parts/lists/command/preview.ts';
import { modelVersionIn } from '#src/parts/packs/packs/pack-contents.ts';
import type { ReadyPack } from '#src/parts/packs/updates/install-pack.ts';
import type { PackPreview } from '#src/parts/packs/updates/preview-pack.ts';

/** Describes the changes of an installation, one per line. */
export function previewText({ pack, now, next }: PackPreview): string {
  const { installed, manifest, publisher, contents } = pack;
  const before = now.packs.state.active.find(({ name }) => name === installed.name);
  const lines = [
    `${installed.name} ${installed.version} of ${publisher.name} (key ${shortId(publisher.fingerprint)}), created ${manifest.created.slice(0, 10)}, expires ${manifest.expires.slice(0, 10)}`,
    before ? `replaces version ${before.version}` : 'the first of its name',
    ...modelLines(contents, now, next),
    ...thresholdLines(now, next),
    ...brandLines(now, next),
    ...factLines(contents, now, next),
  ];
  if (contents.nextKey) lines.push(`next signing key of its publisher: ${contents.nextKey.fingerprint}`);
  if (contents.unknownMembers.length > 0)
    lines.push(`passed by, as this version knows no such kind: ${contents.unknownMembers.join(', ')}`);
  const lists = (pack.lists?.changed ?? []).map(changedText);
  return [...lines.map((line) => `${visibleInTerminal(line)}\n`), ...lists].join('');
}

function modelLines(contents: ReadyPack['contents'], now: Classifier, next: Classifier): string[] {
  const [before, after] = [now, next].map(({ models }) => models.version.split('+', 1)[0] ?? '');
  const brought = modelVersionIn(contents);
  if (brought !== null && brought !== after) {
    return [
      `model ${brought}, not activated: ${after} is selected on this host; lurecheck model use shipped lets the pack select`,
    ];
  }
  if (before === after) return brought === null ? [] : [`model ${after}, unchanged`];
  return [`the model ${after} replaces ${before}`];
}

function thresholdLines(now: Classifier, next: Classifier): string[] {
  const [before, after] = [now, next].map(
    ({ models: { fusion } }) => `${fusion.thresholds.warn} and ${fusion.thresholds.block}`,
  );
  return before === after
    ? []
    : [`warnings and blocks from ${after}, before from ${before}, unless settings override them`];
}

function brandLines(now: Classifier, next: Classifier): string[] {
  const written = ({ models }: Classifier) =>
    new Map(models.configuredBrands.map((brand) => [`${brand.name} (${brand.domains.join(', ')})`, brand]));
  const [before, after] = [written(now), written(next)];
  const added = [...after.keys()].filter((name) => !before.has(name));
  const gone = [...before.keys()].filter((name) => !after.has(name));
  return [...added.map((name) => `+ brand ${name}`), ...gone.map((name) => `- brand ${name}`)];
}

/** The tables of facts in use before and after, and those of the pack that are not used. */
function factLines({ tables }: ReadyPack['contents'], now: Classifier, next: Classifier): string[] {
  const daysIn = ({ packs }: Classifier) =>
    new Map(factAgesWith(packs.tables).map(({ table, retrieved }) => [table, retrieved]));
  const [before, after] = [daysIn(now), daysIn(next)];
  return SERVER_TABLES.flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    const brought = tables.find((one) => one.name === name)?.retrieved;
    if (was !== is) return [`registry servers of ${was} → ${is} (${name})`];
    if (brought === undefined) return [];
    const use = brought === is ? 'unchanged' : `not used: those in use are of ${is}`;
    return [`registry servers of ${brought} (${name}), ${use}`];
  });
}
