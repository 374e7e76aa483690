// Reads 100,000 rows and prints how many MB the process had and grew by. The garbage collector is lazy: 57 MB is normal, 100 MB when the rows are kept.
import { environment, silentLogger } from '@platform/runtime';
import { openDatabase } from './database';

const ROWS = `SELECT n, repeat('x', 300) AS text FROM generate_series(1, 100000) n`;
const megabytes = (): number => process.memoryUsage.rss() / 1024 ** 2;

const main = async (): Promise<void> => {
  const database = openDatabase({ url: environment.DATABASE_URL ?? '', schema: 'public', logger: silentLogger });
  const read = async (text: string): Promise<{ rows: number; largest: number }> => {
    let [rows, largest] = [0, 0];
    for await (const row of database.stream(text))
      if (row.n && (rows += 1) % 1_000 === 0) largest = Math.max(largest, megabytes());
    return { rows, largest };
  };
  await read('SELECT 1 AS n');
  const before = megabytes();
  const { rows, largest } = await read(ROWS);
  console.log(JSON.stringify({ rows, before: Math.round(before), grown: Math.round(largest - before) }));
  await database.stop?.();
};

void main();
