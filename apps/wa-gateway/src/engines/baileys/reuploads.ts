import type { BaileysEventMap, WASocket } from 'baileys';
import { EngineFileLost } from '../engine.errors';
import type { Library } from './baileys.library';
import type { MediaDescriptor } from './message.normaliser';

type Answer = BaileysEventMap['messages.media-update'][number];
type Tools = Pick<Library, 'decryptMediaRetryData' | 'encryptMediaRetryRequest' | 'proto'>;

const LIMIT_MS = 20_000;
/** Who waits for a phone has a place for downloads: half of those of a device at most, whatever its customers sent. */
const AT_ONCE = 4;

/**
 * Files that WhatsApp keeps no more: the phone that sent them is asked to upload them again. The library's own
 * `updateMediaMessage` waits for ever for a phone that is off, with listeners for every file.
 */
export class Reuploads {
  private readonly waiting = new Map<string, (answer: Answer) => void>();

  constructor(private readonly library: Tools) {}

  /** Answers come by this connection too. */
  listen({ ev }: Pick<WASocket, 'ev'>): void {
    ev.on('messages.media-update', (answers) => {
      for (const answer of answers) this.waiting.get(answer.key.id ?? '')?.(answer);
    });
  }

  /** Where the file lies then. Rejects with `EngineFileLost` when the phone has it no more either, otherwise when it does not answer in time or others are asked. */
  async ask(
    socket: Pick<WASocket, 'sendNode' | 'user'>,
    { of, mediaKey }: MediaDescriptor,
    signal: AbortSignal,
  ): Promise<string> {
    if (!of) throw new EngineFileLost('WhatsApp has the file no more, and nobody knows whose message it was');
    if (this.waiting.size >= AT_ONCE) throw new Error('too many files are asked of phones at the moment');
    const key = Buffer.from(mediaKey, 'base64');
    const question = this.library.encryptMediaRetryRequest(of, key, socket.user?.id ?? '');
    const answer = this.answerTo(of.id, signal);
    const [{ media }] = await Promise.all([answer, socket.sendNode(question)]);
    if (!media) throw new Error('the phone did not upload the file again');
    const { SUCCESS, NOT_FOUND } = this.library.proto.MediaRetryNotification.ResultType;
    const { result, directPath } = this.library.decryptMediaRetryData(media, key, of.id);
    if (result === NOT_FOUND) throw new EngineFileLost('the phone has the file no more');
    if (result !== SUCCESS || !directPath) throw new Error(`the phone did not upload the file again: ${result}`);
    return directPath;
  }

  private answerTo(id: string, signal: AbortSignal): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const silence = (): void => reject(new Error('the phone does not answer'));
      const timer = setTimeout(silence, LIMIT_MS).unref();
      signal.addEventListener('abort', silence, { once: true });
      this.waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    }).finally(() => this.waiting.delete(id));
  }
}
