import sharp from 'sharp';
import { bomb, photo } from './photos.fixture';
import { pictureAs } from './picture.maker';

const toldBy = async (bytes: Buffer): Promise<string[]> => {
  const { exif = Buffer.alloc(0), orientation = 1 } = await sharp(bytes).metadata();
  return [String(orientation), ...['GPS', 'Telepon Sari'].filter((word) => isTold(exif, word))];
};
/** A tag of a block of its own stands for the place: 0x8825 (Exif 2.32, 4.6.3). */
const isTold = (exif: Buffer, word: string): boolean =>
  word === 'GPS'
    ? exif.includes(Buffer.from([0x88, 0x25])) || exif.includes(Buffer.from([0x25, 0x88]))
    : exif.includes(word);

it('what a phone tells with a picture is not told on', async () => {
  const taken = await photo();
  const made = [await pictureAs(taken, 'w320'), await pictureAs(taken, 'j640')];
  expect([await toldBy(taken), ...(await Promise.all(made.map(toldBy)))]).toEqual([
    ...[['6', 'GPS', 'Telepon Sari'], ['1'], ['1']],
  ]);
});

it('what can be seen through is white where no picture can be seen through', async () => {
  const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#0000' } })
    .png()
    .toBuffer();
  const { data } = await sharp(await pictureAs(clear, 'j640'))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
});

it('of few bytes that unpack to very many nothing is made', async () => {
  await expect(pictureAs(await bomb({ width: 8_100, height: 8_000 }), 'w160')).rejects.toThrow('pixel limit');
  const held = { width: 5_100, height: 5_000, progressive: true };
  await expect(pictureAs(await bomb(held), 'w160')).rejects.toThrow('too much memory');
  await expect(pictureAs(await bomb({ ...held, type: 'png' }), 'w160')).rejects.toThrow('too much memory');
});

it('a PNG that moves is not made to stand still', async () => {
  const still = await photo({ width: 20, height: 20, type: 'png' });
  const at = still.indexOf('IDAT') - 4;
  const control = Buffer.from('000000086163544c0000000200000000f38d93700000', 'hex').subarray(0, 20);
  const moving = Buffer.concat([still.subarray(0, at), control, still.subarray(at)]);
  expect(await pictureAs(still, 'w160')).toEqual(expect.any(Buffer));
  await expect(pictureAs(moving, 'w160')).rejects.toThrow('it moves');
});

it.each(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 'GIF89a', '%PDF-1.7', 'II*\0', ''])(
  'no other reader of the library is open: %j',
  (text) => expect(pictureAs(Buffer.from(text), 'w160')).rejects.toThrow(),
);
