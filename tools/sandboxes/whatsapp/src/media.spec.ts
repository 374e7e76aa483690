/** @jest-environment ../../jest/native-import.environment.cjs */
import { randomBytes } from 'node:crypto';
import { request } from 'node:https';
import { startWhatsAppSandbox } from './sandbox';
import type { CustomerPhone, PhoneMediaKind, PhoneMessage, WhatsAppSandbox } from './sandbox.types';

let sandbox: WhatsAppSandbox;
let ani: CustomerPhone;
let budi: CustomerPhone;

beforeAll(async () => {
  sandbox = await startWhatsAppSandbox();
  ani = await sandbox.phone('628150000001');
  budi = await sandbox.phone('628150000002');
});
afterAll(() => sandbox.stop());

const sendFile = async (
  from: CustomerPhone,
  to: CustomerPhone,
  kind: PhoneMediaKind,
  bytes: Buffer,
): Promise<PhoneMessage> => {
  const { id } = await from.sendMedia(to.number, { kind, bytes, mimetype: 'application/octet-stream', caption: kind });
  return to.waitFor((message) => message.id === id);
};
const pathOf = (message: PhoneMessage): string => message.content?.documentMessage?.directPath ?? '';
const status = (path: string, ca?: string): Promise<[number | undefined, string | undefined]> =>
  new Promise((resolve, reject) => {
    const call = request(`https://${sandbox.mediaHost}${path}`, { ca }, (response) => {
      response.resume();
      resolve([response.statusCode, response.headers.location]);
    });
    call.once('error', reject);
    call.end();
  });

describe('the media host of the WhatsApp sandbox', () => {
  it.each(['image', 'video', 'document', 'audio', 'voice', 'sticker'] as const)(
    '%s arrives both ways with equal bytes',
    async (kind) => {
      const bytes = randomBytes(70_001);
      for (const [from, to] of [
        [ani, budi],
        [budi, ani],
      ] as const) {
        const got = await sendFile(from, to, kind, bytes);
        expect((await to.download(got)).equals(bytes)).toBe(true);
      }
    },
  );

  it('stores only ciphertext', async () => {
    const got = await sendFile(ani, budi, 'document', Buffer.from('nomor rekening 12345 '.repeat(50)));
    const kept = sandbox.media.get(pathOf(got));
    expect(kept?.includes('rekening')).toBe(false);
    expect(sandbox.media.requests.at(-1)).toMatch(/^POST \/mms\/document\//);
  });

  it('detects files that were changed in transit', async () => {
    const got = await sendFile(ani, budi, 'document', randomBytes(1_000));
    const kept = sandbox.media.get(pathOf(got)) ?? Buffer.alloc(0);
    const changed = Buffer.from(kept);
    changed[5] = (changed[5] ?? 0) ^ 1;
    sandbox.media.store(changed, pathOf(got));
    await expect(budi.download(got)).rejects.toThrow('MAC');
    sandbox.media.store(kept, pathOf(got));
    await expect(budi.download(got)).resolves.toHaveLength(1_000);
  });

  it('answers redirects and refusals that a test sets, and 404 for unknown paths', async () => {
    sandbox.media.redirect('/v/away', 'https://example.invalid/x');
    expect(await status('/v/away', sandbox.mediaCa)).toEqual([302, 'https://example.invalid/x']);
    expect(await status('/v/nothing', sandbox.mediaCa)).toEqual([404, undefined]);
    sandbox.media.refuse('/v/expired', 403);
    expect(await status('/v/expired', sandbox.mediaCa)).toEqual([403, undefined]);
  });

  it('is trusted only by clients that were given its certificate', async () => {
    await expect(status('/v/nothing')).rejects.toThrow('self-signed certificate');
  });
});
