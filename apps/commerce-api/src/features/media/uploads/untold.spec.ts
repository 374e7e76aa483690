import sharp from 'sharp';
import { photo } from '../renditions/photos.fixture';
import { untold } from './untold';

const types = ['jpg', 'png', 'webp'] as const;
const MIME = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' } as const;
const pixels = (bytes: Buffer): Promise<Buffer> => sharp(bytes).raw().toBuffer();
/** What is told besides the lines: how it is turned, the camera's name, the block of the place (Exif 2.32, 4.6.3). */
const told = async (bytes: Buffer): Promise<unknown[]> => {
  const { orientation, exif = Buffer.alloc(0), width, height } = await sharp(bytes).metadata();
  const tags = [Buffer.from('Telepon Sari'), Buffer.from([0x88, 0x25]), Buffer.from([0x25, 0x88])];
  return [orientation, width, height, tags.some((tag) => exif.includes(tag) || bytes.includes(Buffer.from('Telepon')))];
};

it.each(types)(
  'a photo as %s loses what its camera told, and not one of its lines; it is turned as before',
  async (type) => {
    const taken = await photo({ width: 60, height: 40, type });
    const left = untold(taken, MIME[type]);
    expect([await told(taken), await told(left)]).toEqual([
      [6, 40, 60, true],
      [6, 40, 60, false],
    ]);
    expect(await pixels(left)).toEqual(await pixels(taken));
    expect(untold(left, MIME[type])).toEqual(left);
  },
);

it('a progressive photo keeps all of its scans, and what stands behind its end goes', async () => {
  const taken = await photo({ width: 60, height: 40, progressive: true });
  const left = untold(Buffer.concat([taken, Buffer.from('ftypmp42 film of the moment, with its place')]), 'image/jpeg');
  expect(left.includes('film of the moment')).toBe(false);
  expect(await pixels(left)).toEqual(await pixels(taken));
});

it('colours and comments: a profile stays, and words go', async () => {
  const plain = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0a0' } })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
  const words = Buffer.concat([
    plain.subarray(0, 2),
    Buffer.from([0xff, 0xfe, 0, 9]),
    Buffer.from('at home'),
    plain.subarray(2),
  ]);
  expect(untold(words, 'image/jpeg')).toEqual(plain);
  expect((await sharp(untold(words, 'image/jpeg')).metadata()).icc).toBeDefined();
});

it.each(types)(
  'a %s that ends anywhere, or has other lengths, is no picture of fewer lines: it stays as it is',
  async (type) => {
    const taken = await photo({ width: 20, height: 20, type });
    for (let end = 0; end < taken.length; end += 7) {
      const half = taken.subarray(0, end);
      expect(untold(half, MIME[type]).equals(half)).toBe(true);
    }
    for (let at = 2; at < taken.length; at += 5) {
      const wrong = Buffer.from(taken);
      wrong[at] = 0xff;
      const left = untold(wrong, MIME[type]);
      expect(left.length).toBeLessThanOrEqual(wrong.length + 64);
    }
  },
);

it('what is of another type stays as it is', () => {
  const gif = Buffer.from('GIF89a and a comment');
  expect(untold(gif, 'image/gif')).toBe(gif);
});

it('of millions of parts, which no camera writes, none is looked for: nobody waits', () => {
  const fill = (head: string, part: string): Buffer =>
    Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(1024 * 1024, Buffer.from(part, 'hex'))]);
  const floods = {
    'image/jpeg': fill('ffd8', 'fffe0002'),
    'image/png': fill('89504e470d0a1a0a', '000000007445587400000000'),
    'image/webp': fill('52494646ffffff0057454250', '5858585800000000'),
  };
  for (const [type, flood] of Object.entries(floods)) expect(untold(flood, type)).toBe(flood);
});
