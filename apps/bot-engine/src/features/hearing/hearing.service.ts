import { setMaxListeners } from 'node:events';
import { fitsUse } from '@platform/http';
import { SharedPlaces, withTimeLimit, type Logger } from '@platform/runtime';
import type { Agent } from '../agents/public';
import type { Picture } from '../loop/public';
import type { PricedAttempt, Transcribe } from '../model/public';
import { heardLine } from './heard.line';
import type { Heard, HeardAround, Hearing } from './hearing.types';
import type { OwnFile, OwnFiles } from './own.file';
import { PictureMemory } from './picture.memory';
import { spoken } from './silent.speech';

export interface HearingParts {
  readonly files: Pick<OwnFiles, 'fetch'>;
  /** Undefined: nobody writes recordings down. */
  readonly transcribe: Transcribe | undefined;
  readonly logger: Logger;
  /** For all files of a turn together; 10 s by default. */
  readonly limitMs?: number;
}

/** Files at once, of all stores and of one: each is in memory while a model reads it. */
const PLACES = { places: 8, most: 3 };
const MOST_BYTES = { picture: 5 * 1024 * 1024, voice: 16 * 1024 * 1024 };
/** Pictures, and recordings, of one turn. */
const MOST_FILES = 4;
const LIMIT_MS = 10_000;
const NOTHING = { pictures: [], speeches: [] };
const READABLE = ['image/jpeg', 'image/png', 'image/webp'] as const;

const readable = (mimetype: string): Picture['mediaType'] | undefined => READABLE.find((each) => each === mimetype);

/** What the files of one turn share. */
interface Turn {
  readonly agent: Agent;
  readonly signal: AbortSignal;
  /** Ends with the signal. */
  readonly over: Promise<undefined>;
  readonly attempts: PricedAttempt[];
  readonly held: HeardAround['held'];
  /** Files that are looked at, of all that came. */
  readonly chosen: ReadonlySet<string>;
}

type Make<T> = (file: OwnFile) => Promise<T | undefined>;

/** The newest of so many: a model is given no more, and memory is shared. */
const newest = (messages: readonly Heard[]): ReadonlySet<string> => {
  const last = (urls: readonly string[]) => urls.slice(-MOST_FILES);
  const pictures = last(messages.flatMap(({ images }) => images));
  return new Set([...pictures, ...last(messages.flatMap(({ audio }) => audio))]);
};

/** There is no memory for another picture of this store. */
class TooManyPictures extends Error {
  override readonly name = 'TooManyPictures';
}

/** Whatever does not heed the signal is not waited for. */
const endOf = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

/** Nothing of a file that cannot be had, is too large, of another kind or too late: its label then stands in the conversation. */
export class FileHearing implements Hearing {
  private readonly places = new SharedPlaces(PLACES);
  private readonly memory = new PictureMemory();

  constructor(private readonly parts: HearingParts) {}

  async understand(messages: readonly Heard[], around: HeardAround) {
    const { limitMs = LIMIT_MS } = this.parts;
    if (newest(messages).size === 0) return { lines: messages.map((heard) => heardLine(heard, NOTHING)), attempts: [] };
    return withTimeLimit(limitMs, [around.signal], (signal) => this.understood(messages, around, signal));
  }

  private async understood(messages: readonly Heard[], { agent, held }: HeardAround, signal: AbortSignal) {
    const attempts: PricedAttempt[] = [];
    setMaxListeners(0, signal);
    const turn: Turn = { agent, held, signal, over: endOf(signal), attempts, chosen: newest(messages) };
    const lines = await Promise.all(
      messages.map(async (heard) => {
        const [pictures, speeches] = await Promise.all([
          Promise.all(heard.images.map((url) => this.picture(url, turn))),
          Promise.all(heard.audio.map((url) => this.speech(url, turn))),
        ]);
        return heardLine(heard, { pictures, speeches });
      }),
    );
    return { lines, attempts: [...attempts] };
  }

  private async picture(url: string, turn: Turn): Promise<Picture | undefined> {
    if (!turn.agent.vision || !turn.chosen.has(url)) return undefined;
    return this.inTime(url, MOST_BYTES.picture, turn, async ({ bytes, type }) => {
      const mediaType = readable(type.mimetype);
      if (!mediaType || turn.signal.aborted) return undefined;
      const release = this.memory.take(turn.agent.storeId, bytes.length);
      if (!release) throw new TooManyPictures();
      turn.held(release);
      return { mediaType, base64: bytes.toString('base64') };
    });
  }

  private async speech(url: string, turn: Turn): Promise<string | undefined> {
    const { transcribe } = this.parts;
    if (!transcribe || !turn.chosen.has(url)) return undefined;
    return this.inTime(url, MOST_BYTES.voice, turn, async ({ bytes, type }) => {
      if (!fitsUse('voice', type.mimetype)) return undefined;
      const { value, attempt } = await transcribe(bytes, `suara.${type.extension}`, turn.signal);
      turn.attempts.push(attempt);
      return spoken(value ?? '') || undefined;
    });
  }

  private inTime<T>(url: string, maxBytes: number, turn: Turn, make: Make<T>): Promise<T | undefined> {
    return Promise.race([this.withFile(url, maxBytes, turn, make), turn.over]);
  }

  /** What is made of a file, in a place of its store. Never rejects. */
  private async withFile<T>(
    url: string,
    maxBytes: number,
    { agent, signal }: Turn,
    make: Make<T>,
  ): Promise<T | undefined> {
    const { files, logger } = this.parts;
    let leave: (() => void) | undefined;
    try {
      leave = await this.places.acquire(agent.storeId, signal);
      return await make(await files.fetch(url, maxBytes, signal));
    } catch (failure) {
      const reason = failure instanceof Error ? failure.name : 'unknown';
      logger.warn('a file of a customer is not understood', { storeId: agent.storeId, reason });
      return undefined;
    } finally {
      leave?.();
    }
  }
}
