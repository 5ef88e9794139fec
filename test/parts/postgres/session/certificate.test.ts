import { expect, test } from 'bun:test';
import { readDatabaseUrl } from '#src/checks/store/database-url.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createServerExamination, onDatabase } from '#src/parts/postgres/examine-server.ts';
import { openPostgresLog } from '#src/parts/postgres/postgres-log.ts';
import { certificatesOf, handshakeServer, trusting } from '#test/support/refused-handshake.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const { authority, issued } = certificatesOf(Date.now());

test.each(Object.keys(issued))('a certificate that %s is a fault of the connection', async (fault) => {
  const certificate = issued[fault];
  if (!certificate) throw new Error(fault);
  await using directory = temporaryDirectory();
  await using server = await handshakeServer(certificate);
  const parameters = trusting(authority, directory.path);
  const url = (name: string) => {
    const read = readDatabaseUrl(`postgres://node@localhost:${server.port}/${name}?${parameters}`);
    if (typeof read === 'string') throw new Error(read);
    return read;
  };
  const urls = { public: [url('open')], private: [url('hidden')] };
  const lines: string[] = [];
  const common = { urls, dataDir: `${directory.path}/data`, nodeName: 'a', timeoutMs: 1000, clock: systemClock };
  const logger = createLogger('error', (line) => lines.push(line));
  {
    await using log = await openPostgresLog({ ...common, access: 'serve', spoolRows: 10, logger });
    await log.append(sampleRecord());
    const { problem, notices } = await log.health();
    expect(problem).toBeNull();
    expect(notices[0]?.text).toBe(`Checks are spooled on this node: the certificate of the database server ${fault}.`);
  }
  const said = JSON.parse(lines[0] ?? '{}');
  expect(said).toMatchObject({ event: 'log.database_away', matter: `the certificate of the database server ${fault}` });
  const server1 = `The server is localhost:${server.port}.`;
  expect(said.advice).toEndWith(server1);
  const sentence = new RegExp(`the certificate of the database server ${fault}\\. [A-Z].*\\. ${server1}$`);
  expect(await createServerExamination(urls, directory.path, null)('public', urls.public[0] ?? url('open'))).toMatch(
    sentence,
  );
  await expect(onDatabase(url('open'), ({ db }) => db.execute('select 1'))).rejects.toThrow(sentence);
  await expect(openPostgresLog({ ...common, access: 'read', spoolRows: 0, logger })).rejects.toThrow(sentence);
});
