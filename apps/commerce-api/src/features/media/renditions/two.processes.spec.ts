import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until, type RunningProgram } from '@platform/testing';
import sharp from 'sharp';
import { ownStore, type Ask } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import type { Media } from '../uploads/public';
import { photo } from './photos.fixture';

const commerce = useCommerce();
let second: RunningProgram | undefined;
afterAll(() => second?.stop('SIGKILL'));

const uploaded = async (ask: Ask, bytes: Buffer): Promise<string> => {
  const data = new FormData();
  data.append('purpose', 'product');
  data.append('file', new Blob([new Uint8Array(bytes)]), 'foto.jpg');
  return new URL((await ask<Media>('POST', '/upload', data)).body.data.url ?? '').pathname;
};
const made = async (): Promise<string[]> =>
  (await readdir(commerce.mediaDir)).filter((name) => /\.[wj]\d+$/.test(name));

// Where the suites of all projects run it starts from the bundle: this holds that the library is found from there
it('two processes that are asked for a picture at once leave one, and one that is killed leaves no half of any', async () => {
  const { ask } = await ownStore(commerce);
  const taken = await photo({ width: 3_000, height: 2_000 });
  const path = await uploaded(ask, taken);
  second = await startSecondProcess(commerce, { MEDIA_DIR: commerce.mediaDir });
  const { url: other } = second;
  const at = [commerce.url, other, commerce.url, other];
  const answers = await Promise.all(at.map((url) => fetch(`${url}${path}?as=w640`)));
  const bytes = await Promise.all(answers.map(async (each) => Buffer.from(await each.arrayBuffer())));
  expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual(Array(4).fill('image/webp'));
  expect([bytes.every((each) => each.equals(bytes[0] ?? taken)), await made()]).toEqual([
    ...[true, [expect.stringMatching(/\.w640$/) as string]],
  ]);

  const more = await Promise.all(Array.from({ length: 6 }, () => uploaded(ask, taken)));
  const asked = more.flatMap((each) => ['w160', 'w1280', 'j640'].map((as) => fetch(`${other}${each}?as=${as}`)));
  const settled = Promise.allSettled(asked);
  await until(async () => (await made()).length > 4);
  await second.stop('SIGKILL');
  await settled;
  const whole = (await made()).map(
    async (name) => (await sharp(await readFile(join(commerce.mediaDir, name))).stats()).channels.length,
  );
  expect(new Set(await Promise.all(whole))).toEqual(new Set([3]));
  // What it had begun is made by the next one that is asked
  const again = await Promise.all(more.map((each) => fetch(`${commerce.url}${each}?as=j640`)));
  expect(again.map(({ headers }) => headers.get('content-type'))).toEqual(more.map(() => 'image/jpeg'));
});
