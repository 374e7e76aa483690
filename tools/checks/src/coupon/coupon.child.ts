// Streams all coupons of a store as CSV, discards them, and prints the number of lines and by how many MB the process grew.
import { openDatabase } from '@platform/data';
import { csvText } from '@platform/http';
import { environment, silentLogger } from '@platform/runtime';
import { COUPON_FILE } from './coupon.rules';
import { couponListing } from './coupon.sql';

const main = async (): Promise<void> => {
  const { DATABASE_URL: url = '', STORE: store = '' } = environment;
  const database = openDatabase({ url, schema: 'shop', logger: silentLogger });
  const write = async (of: string): Promise<{ lines: number; largest: number }> => {
    let [lines, largest] = [0, 0];
    for await (const piece of csvText(COUPON_FILE.columns, couponListing.stream(database, of, {}))) {
      lines += piece.split('\r\n').length - 1;
      largest = Math.max(largest, process.memoryUsage.rss() / 1024 ** 2);
    }
    return { lines, largest };
  };
  const before = (await write('a store without coupons')).largest;
  const { lines, largest } = await write(store);
  console.log(JSON.stringify({ lines, before: Math.round(before), grown: Math.round(largest - before) }));
  await database.stop?.();
};

void main();
