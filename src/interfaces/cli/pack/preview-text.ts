import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { shortId } from '#src/core/base/public-key.ts';
import type { Judging } from '#src/admin/active/models.ts';
import type { ReadyPack } from '#src/admin/pack-updates/install-pack.ts';
import { modelVersionIn } from '#src/admin/packs/pack-contents.ts';
import type { PackPreview } from '#src/admin/pack-updates/preview-pack.ts';
import { changedText } from '../lists/changed-text.ts';

/** What an installation would change, a line each. */
export function previewText({ pack, now, next }: PackPreview): string {
  const { kept, manifest, publisher, contents } = pack;
  const before = now.packs.state.inForce.find(({ name }) => name === kept.name);
  const lines = [
    `${kept.name} ${kept.version} of ${publisher.name} (key ${shortId(publisher.fingerprint)}), made ${manifest.created.slice(0, 10)}, expires ${manifest.expires.slice(0, 10)}`,
    before ? `in place of version ${before.version}` : 'the first of its name',
    ...modelLines(contents, now, next),
    ...thresholdLines(now, next),
    ...brandLines(now, next),
  ];
  if (contents.nextKey) lines.push(`from now on its publisher signs with the key ${contents.nextKey.fingerprint}`);
  if (contents.passedBy.length > 0)
    lines.push(`passed by, as this version knows no such kind: ${contents.passedBy.join(', ')}`);
  const lists = (pack.lists?.changed ?? []).map(changedText);
  return [...lines.map((line) => `${visibleInTerminal(line)}\n`), ...lists].join('');
}

function modelLines(contents: ReadyPack['contents'], now: Judging, next: Judging): string[] {
  const [before, after] = [now, next].map(({ models }) => models.version.split('+', 1)[0] ?? '');
  const brought = modelVersionIn(contents);
  if (brought !== null && brought !== after) {
    return [
      `the model ${brought}; ${after} goes on, which was chosen here: lurecheck model use shipped lets the pack choose`,
    ];
  }
  if (before === after) return brought === null ? [] : [`the model ${after}, as before`];
  return [`the model ${after} in place of ${before}`];
}

function thresholdLines(now: Judging, next: Judging): string[] {
  const [before, after] = [now, next].map(
    ({ models: { fusion } }) => `${fusion.thresholds.warn} and ${fusion.thresholds.block}`,
  );
  return before === after
    ? []
    : [`warnings and blocks from ${after} on, in place of ${before}, unless settings say otherwise`];
}

function brandLines(now: Judging, next: Judging): string[] {
  const written = ({ models }: Judging) =>
    new Map(models.ownBrands.map((brand) => [`${brand.name} (${brand.domains.join(', ')})`, brand]));
  const [before, after] = [written(now), written(next)];
  const added = [...after.keys()].filter((name) => !before.has(name));
  const gone = [...before.keys()].filter((name) => !after.has(name));
  return [...added.map((name) => `+ brand ${name}`), ...gone.map((name) => `- brand ${name}`)];
}
