import { expect, test } from 'bun:test';
import { runOnSmallDisk } from './small-disk.ts';

test('an air-gapped host installs packs by USB; truncated packs, clocks set back and full disks change nothing', async () => {
  const { cut, second, clock, full, room } = await runOnSmallDisk('pack-by-usb-inside.ts', '96m');
  expect(cut).toEqual({ refused: ['acme-2.pack cut_short'], inForce: ['acme-bank 1'], decision: 'block' });
  expect(second).toEqual({ inForce: ['acme-bank 2'], decision: 'warn' });
  expect(clock).toEqual({
    refused: ['acme-7.pack expired'],
    notices: [
      expect.stringMatching(
        /^The clock shows 202\d-.*, and this host has observed 20.*: the later one decides when packs expire\.$/,
      ),
    ],
    inForce: ['acme-bank 2'],
  });
  expect(full).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining('the disk is full'),
    inForce: ['acme-bank 2'],
  });
  expect(room).toEqual({ exitCode: 0, inForce: ['acme-bank 3'] });
});
