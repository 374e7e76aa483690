// Streams all coupons of a store as CSV, discards them, and prints the number of lines, how many MB they had, and by how many MB the
// process grew.
import { openDatabase } from '@platform/data';
import { csvText } from '@platform/http';
import { environment, silentLogger } from '@platform/runtime';
import { COUPON_FILE } from './coupon.rules';
import { couponListing } from './coupon.sql';

const main = async (): Promise<void> => {
  const { DATABASE_URL: url = '', STORE: store = '' } = environment;
  const database = openDatabase({ url, schema: 'shop', logger: silentLogger });
  const write = async (of: string): Promise<{ lines: number; size: number; largest: number }> => {
    let [lines, size, largest] = [0, 0, 0];
    for await (const piece of csvText(COUPON_FILE.columns, couponListing.stream(database, of, {}))) {
      size += piece.length / 1024 ** 2;
      lines += piece.split('\r\n').length - 1;
      largest = Math.max(largest, process.memoryUsage.rss() / 1024 ** 2);
    }
    return { lines, size, largest };
  };
  const before = (await write('a store without coupons')).largest;
  const { lines, size, largest } = await write(store);
  console.log(JSON.stringify({ lines, size: Math.round(size), grown: Math.round(largest - before) }));
  await database.stop?.();
};

void main();
