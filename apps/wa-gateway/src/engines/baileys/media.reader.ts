import { createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { request, type Agent } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { EngineFileLost } from '../engine.errors';
import type { MediaDescriptor } from './message.normaliser';

export interface MediaHost {
  /** The one host that files come from, `mmg.whatsapp.net` in earnest; what a message says about hosts is not believed. */
  readonly host: string;
  readonly agent?: Agent;
  readonly maxBytes: number;
}

/** WhatsApp gives the file out no more; the phone that sent it may have it still. */
export class FileGone extends Error {}

// 403: the address that came with the message is out of date
const GONE: ReadonlySet<number | undefined> = new Set([403, 404, 410]);
const MAC_BYTES = 10;
const TOO_LARGE = 'the file is larger than it may be';
/** A large file on a slow line may take longer, as long as it comes. */
const SILENCE_MS = 30_000;
/** The sender writes it, and it is put behind the host: `@evil.example/` would change the host. */
const DIRECT_PATH = /^\/[^/@\\][^@\\\s]*$/;

const answerOf = (path: string, { host, agent }: MediaHost, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { origin: 'https://web.whatsapp.com' };
    const asked = request(`https://${host}${path}`, { agent, headers, signal, timeout: SILENCE_MS }, resolve);
    const silent = (): void => void asked.destroy(new Error('the media host says nothing'));
    asked.on('timeout', silent).on('error', reject).end();
  });

const finalOf = (decipher: ReturnType<typeof createDecipheriv>): Buffer => {
  try {
    return decipher.final();
  } catch (cause) {
    throw new EngineFileLost('the file cannot be decrypted', { cause });
  }
};

/**
 * WhatsApp's media encryption: HKDF-SHA256 to IV, AES-256-CBC key and MAC key; HMAC over IV and ciphertext, cut to 10 bytes,
 * at the end. The stream ends well only when MAC and hash are right: until then the bytes are nobody's. One that came whole
 * and is wrong is what its sender put there, and would be fetched in vain for days.
 */
async function* decrypted(
  sealed: AsyncIterable<Buffer>,
  { kind, mediaKey, sha256 }: MediaDescriptor,
  maxBytes: number,
) {
  const secret = Buffer.from(mediaKey, 'base64');
  const keys = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), `WhatsApp ${kind} Keys`, 112));
  const [iv, cipherKey, macKey] = [keys.subarray(0, 16), keys.subarray(16, 48), keys.subarray(48, 80)];
  const [mac, hash] = [createHmac('sha256', macKey).update(iv), createHash('sha256')];
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  let [tail, size] = [Buffer.alloc(0), 0];
  for await (const chunk of sealed) {
    const data = Buffer.concat([tail, chunk]);
    const body = data.subarray(0, Math.max(0, data.length - MAC_BYTES));
    tail = data.subarray(body.length);
    mac.update(body);
    const plain = decipher.update(body);
    size += plain.length;
    if (size > maxBytes) throw new EngineFileLost(TOO_LARGE);
    hash.update(plain);
    yield plain;
  }
  const expected = mac.digest().subarray(0, MAC_BYTES);
  if (tail.length < MAC_BYTES || !timingSafeEqual(expected, tail))
    throw new EngineFileLost('the MAC of the file is wrong');
  const last = finalOf(decipher);
  if (size + last.length > maxBytes) throw new EngineFileLost(TOO_LARGE);
  if (!hash.update(last).digest().equals(Buffer.from(sha256, 'base64')))
    throw new EngineFileLost('the hash of the file is wrong');
  yield last;
}

/**
 * Fetches and decrypts a file of a message (design 3.7). Not the library's downloader: that one follows the sender's address
 * and redirects, and checks neither MAC nor hash. The stream fails at its end when one of them is wrong.
 */
export const readMedia = async (
  descriptor: MediaDescriptor,
  host: MediaHost,
  signal: AbortSignal,
): Promise<Readable> => {
  const { directPath } = descriptor;
  if (!DIRECT_PATH.test(directPath)) throw new EngineFileLost('the path of the file is not one of the media host');
  const answer = await answerOf(directPath, host, signal);
  if (answer.statusCode === 200) return Readable.from(decrypted(answer, descriptor, host.maxBytes));
  answer.destroy();
  const told = `the media host answered ${answer.statusCode}`;
  throw GONE.has(answer.statusCode) ? new FileGone(told) : new Error(told);
};
