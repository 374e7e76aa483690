import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useDatabase, useOpened } from '@platform/testing';
import { startBot, TABLES } from '../../app.fixture';

const database = useDatabase(TABLES);
const ended = useOpened();
let folder = '';
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'prices-'))));
afterAll(() => rm(folder, { recursive: true }));

const start = async (content: string) => {
  const path = join(folder, 'prices.json');
  await writeFile(path, content);
  return ended(await startBot({ DATABASE_URL: database.url, LLM_PRICES_FILE: path }, { silent: true }));
};

it('a service whose price file is not usable does not start, and says what is wrong with it', async () => {
  await expect(start('{"prices":[{"model":"a"}]}')).rejects.toThrow(
    'The file of LLM_PRICES_FILE is not usable: prices[0].input_micros is a required field; prices[0].output_micros is a required field.',
  );
});

it('a service that has started knows the prices of its file, and a next start the changed ones', async () => {
  const rows = () => database.query('SELECT model, input_micros, cached_micros, output_micros FROM llm_prices');
  const list = (input: number) => JSON.stringify({ prices: [{ model: 'a', input_micros: input, output_micros: 9 }] });
  await (await start(list(5))).stop();
  expect(await rows()).toEqual([{ model: 'a', input_micros: '5', cached_micros: '5', output_micros: '9' }]);
  await start(list(6));
  expect(await rows()).toEqual([{ model: 'a', input_micros: '6', cached_micros: '6', output_micros: '9' }]);
});
