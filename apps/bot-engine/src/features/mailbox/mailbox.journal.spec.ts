import { useDatabase } from '@platform/testing';
import { migrations, SCHEMA } from '../../data-source';
import { journalOf, type SeenLine } from './mailbox.journal';

const database = useDatabase({ schema: SCHEMA, migrations });
const LINES = 1_200;

/** More than a page, of numbers of different lengths: the ids of all, in the order in which they came back. */
const idsOf = async (pages: AsyncGenerator<SeenLine[]>): Promise<string[]> => {
  const ids: string[] = [];
  for await (const page of pages) ids.push(...page.map(({ id }) => id));
  return ids;
};

const arrived = Array.from({ length: LINES }, (_, index) => `m${index + 1}`);

describe('what the process before left', () => {
  beforeEach(async () => {
    await database.query('DELETE FROM bot_mailbox');
    await database.query(
      `INSERT INTO bot_mailbox (conv_key, id_message, n, role, lead_token, payload) OVERRIDING SYSTEM VALUE
       SELECT 'c' || n % 7, 'm' || n, n, 'leader', gen_random_uuid(), '{}' FROM generate_series(1, $1::int) AS n`,
      [LINES],
    );
  });

  it('is taken up whole and in the order of arrival, also behind the first page', async () =>
    expect(await idsOf(journalOf(database).waiting())).toEqual(arrived));

  it('is known whole when it had its turn', async () => {
    await database.query('UPDATE bot_mailbox SET done_at = now()');
    expect((await idsOf(journalOf(database).finished())).sort()).toEqual([...arrived].sort());
  });
});
