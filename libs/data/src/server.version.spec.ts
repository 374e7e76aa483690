import { useDatabase } from '@platform/testing';
import { refuseOldServer } from './server.version';

const db = useDatabase({ schema: 'versions', migrations: [] });

describe('a server', () => {
  it.each(['15.18 (Debian 15.18-0+deb12u1)', '17.6'])('that is older than our statements is refused: %s', (version) =>
    expect(refuseOldServer(async () => [{ version, number: Number.parseInt(version) * 10_000 + 6 }])).rejects.toThrow(
      `The server is PostgreSQL ${version}: 18 or newer is needed.`,
    ),
  );

  it('that understands them is taken', async () => {
    await refuseOldServer((sql) => db.query(sql));
    expect(
      await db.query('WITH one AS (SELECT uuidv7() AS id) SELECT uuid_extract_version(id) AS version FROM one'),
    ).toEqual([{ version: 7 }]);
  });
});
