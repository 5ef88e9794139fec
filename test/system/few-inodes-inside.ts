/** Prints the room on a disk whose inodes are used up while bytes are left. */
import { existsSync, writeFileSync } from 'node:fs';
import { examineData } from '#src/app/doctor/examine-data.ts';
import { diskRoom } from '#src/checks/store/file/file-system.ts';

const [dataDir = ''] = process.argv.slice(2);
const settings = { data_dir: dataDir, disk_floor_percent: 5 } as Parameters<typeof examineData>[0];
const disk = async () => {
  const findings = await examineData(settings);
  return findings.find(({ name }) => name === 'disk')?.state;
};
const before = [diskRoom(dataDir, 5).lacks, await disk()];
for (let n = 0; n < 60; n++) writeFileSync(`${dataDir}/${n}`, '');
const after = [diskRoom(dataDir, 5).lacks, await disk()];
process.stdout.write(JSON.stringify({ before, after, text: diskRoom(dataDir, 5).text, exists: existsSync(dataDir) }));
