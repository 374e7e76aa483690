import { spawnProgram, until, useRunning } from '@platform/testing';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownStore } from '../../../asked.fixture';
import { startCommerce } from '../../../commerce.fixture';
import type { BiolinkStatistics } from '../biolinks/biolinks.dto';
import { newBlock, newPage, PERSON } from '../biolinks/biolinks.fixture';

const commerce = useRunning(() => startCommerce());

it('a view that was answered is counted although its process is killed in the next moment, and none is counted twice', async () => {
  const shop = await ownStore(commerce);
  const { id, slug } = await newPage(shop);
  await shop.ask('PUT', `/biolink/${id}/publish`, { published: true });
  const { id: block } = await newBlock(shop, id);
  const child = spawnProgram({
    main: join(__dirname, '../biolinks/views.child.ts'),
    env: {
      ...{ DATABASE_URL: commerce.database.url, AT: commerce.clock.now().toISOString(), TELLS: 'yes' },
      ...{ SLUG: slug, BLOCK: block, PERSON, TIMES: '100' },
    },
  });
  let told = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (told += text));
  // Somewhere in a later round
  await until(() => told.length >= 1_000);
  child.kill('SIGKILL');
  await once(child, 'close');
  const { views, clicks } = (await shop.ask<BiolinkStatistics>('GET', `/biolink/${id}/statistics`)).body.data;
  const answered = (sign: string): number => told.split(sign).length - 1;
  expect(views).toBeGreaterThanOrEqual(answered('v'));
  expect(clicks).toBeGreaterThanOrEqual(answered('c'));
  // Of those whose answer nobody has heard, at most as many as were asked at once
  expect(views + clicks).toBeLessThanOrEqual(answered('v') + answered('c') + 100);
});
