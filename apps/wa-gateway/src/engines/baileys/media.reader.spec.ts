/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Agent } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { startWhatsAppSandbox, type WhatsAppSandbox } from '@platform/testing/whatsapp';
import { EngineFileLost } from '../engine.errors';
import { readMedia } from './media.reader';
import type { MediaDescriptor } from './message.normaliser';

const MAX_BYTES = 10_000;
let own: WhatsAppSandbox;
let foreign: WhatsAppSandbox;
beforeAll(async () => {
  [own, foreign] = await Promise.all([startWhatsAppSandbox(), startWhatsAppSandbox()]);
});
afterAll(() => Promise.all([own.stop(), foreign.stop()]));

/** As WhatsApp encrypts a picture; written anew, so that the reader is not its own witness. */
const encrypted = (plain: Buffer) => {
  const mediaKey = randomBytes(32);
  const keys = Buffer.from(hkdfSync('sha256', mediaKey, Buffer.alloc(0), 'WhatsApp Image Keys', 112));
  const cipher = createCipheriv('aes-256-cbc', keys.subarray(16, 48), keys.subarray(0, 16));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  const mac = createHmac('sha256', keys.subarray(48, 80)).update(keys.subarray(0, 16)).update(body).digest();
  const sha256 = createHash('sha256').update(plain).digest('base64');
  return { sealed: Buffer.concat([body, mac.subarray(0, 10)]), mediaKey: mediaKey.toString('base64'), sha256 };
};

const PLAIN = randomBytes(5_000);
const stored = (change: (sealed: Buffer) => Buffer = (sealed) => sealed, plain = PLAIN): MediaDescriptor => {
  const { sealed, mediaKey, sha256 } = encrypted(plain);
  return { kind: 'Image', directPath: own.media.store(change(sealed)), mediaKey, sha256 };
};
const read = async (descriptor: MediaDescriptor): Promise<Buffer> => {
  const host = { host: own.mediaHost, agent: new Agent({ ca: [own.mediaCa, foreign.mediaCa] }), maxBytes: MAX_BYTES };
  return buffer(await readMedia(descriptor, host, new AbortController().signal));
};

describe('a file of a message', () => {
  it.each([0, 1, 15, 16, 4_999, MAX_BYTES])('of %i bytes arrives as it was sent', async (size) => {
    const plain = randomBytes(size);
    expect((await read(stored(undefined, plain))).equals(plain)).toBe(true);
  });

  it('may take longer than half a minute as long as it comes', async () => {
    const descriptor = stored();
    const release = own.media.hold(descriptor.directPath);
    jest.useFakeTimers({ advanceTimers: false, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const host = { host: own.mediaHost, agent: new Agent({ ca: own.mediaCa }), maxBytes: MAX_BYTES };
    const source = await readMedia(descriptor, host, new AbortController().signal);
    jest.advanceTimersByTime(31_000);
    jest.useRealTimers();
    release();
    expect((await buffer(source)).equals(PLAIN)).toBe(true);
  });

  it('is refused when it is larger than it may be', async () => {
    await expect(read(stored(undefined, randomBytes(MAX_BYTES + 1)))).rejects.toThrow('larger than it may be');
  });

  it('is lost when a byte, its MAC or its hash is another: what came whole will be no other the next time', async () => {
    const flipped = (at: number) => (sealed: Buffer) => {
      const changed = Buffer.from(sealed);
      changed[at < 0 ? changed.length + at : at] = (changed.at(at) ?? 0) ^ 1;
      return changed;
    };
    const wrongMac = new EngineFileLost('the MAC of the file is wrong');
    for (const change of [flipped(100), flipped(-1), () => Buffer.from('short')]) {
      const failure = await read(stored(change)).catch((cause: unknown) => cause);
      expect([failure, failure instanceof EngineFileLost]).toEqual([wrongMac, true]);
    }
    const other = { ...stored(), sha256: createHash('sha256').update('other').digest('base64') };
    const failure = await read(other).catch((cause: unknown) => cause);
    expect([failure, failure instanceof EngineFileLost]).toEqual([
      new EngineFileLost('the hash of the file is wrong'),
      true,
    ]);
  });

  it('is lost when its sender did not encrypt it as WhatsApp does, although its MAC is right', async () => {
    const mediaKey = randomBytes(32);
    const keys = Buffer.from(hkdfSync('sha256', mediaKey, Buffer.alloc(0), 'WhatsApp Image Keys', 112));
    const body = randomBytes(15);
    const mac = createHmac('sha256', keys.subarray(48, 80)).update(keys.subarray(0, 16)).update(body).digest();
    const directPath = own.media.store(Buffer.concat([body, mac.subarray(0, 10)]));
    const descriptor: MediaDescriptor = { ...stored(), directPath, mediaKey: mediaKey.toString('base64') };
    const failure = await read(descriptor).catch((cause: unknown) => cause);
    expect(failure).toEqual(new EngineFileLost('the file cannot be decrypted'));
    expect(failure).toBeInstanceOf(EngineFileLost);
  });

  it.each([
    '@evil.example/',
    '//evil.example/x',
    '/\\evil.example/x',
    '/@evil.example/',
    'https://evil.example/',
    '',
    '/a@b/c',
  ])('is not looked for at %j', async (directPath) => {
    const asked = own.media.requests.length;
    await expect(read({ ...stored(), directPath })).rejects.toThrow('not one of the media host');
    expect(own.media.requests).toHaveLength(asked);
  });

  it('is not followed to another host', async () => {
    const { sealed, mediaKey, sha256 } = encrypted(PLAIN);
    const path = foreign.media.store(sealed);
    own.media.redirect('/v/moved', `https://${foreign.mediaHost}${path}`);
    const descriptor: MediaDescriptor = { kind: 'Image', directPath: '/v/moved', mediaKey, sha256 };
    await expect(read(descriptor)).rejects.toThrow('the media host answered 302');
    expect(foreign.media.requests).toEqual([]);
  });
});
