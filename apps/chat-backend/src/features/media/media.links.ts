import { createHmac } from 'node:crypto';
import { equalSecrets } from '@platform/auth';
import { systemClock, type Clock } from '@platform/runtime';
import type { Config } from '../../config';

const VALID_SECONDS = 24 * 3600;
/** Records name a stored file as `"url" : "media:<name>"`; keys of JSON cannot be forged from inside a message's text. */
const PLACEHOLDER = /"url"\s*:\s*"media:([0-9a-f]{32})"/g;

export interface MediaLinkOptions {
  /** Address under which clients reach this service. */
  readonly baseUrl: string;
  readonly secret: string;
  readonly clock?: Clock;
}

/** Links to stored files, signed and good for a day (design 2.9). */
export class MediaLinks {
  constructor(private readonly options: MediaLinkOptions) {}

  /** The JSON text with every stored file's name turned into a link. */
  sign(json: string): string {
    return json.includes('"media:')
      ? json.replace(PLACEHOLDER, (_, name: string) => `"url":"${this.link(name)}"`)
      : json;
  }

  link(name: string, baseUrl = this.options.baseUrl): string {
    // Whole hours: the same file keeps one link for an hour, so that clients can cache it
    const now = Math.floor((this.options.clock ?? systemClock).now().getTime() / 1000);
    const expires = Math.ceil(now / 3600) * 3600 + VALID_SECONDS;
    return `${baseUrl}/media/${name}?exp=${expires}&sig=${this.signature(name, expires)}`;
  }

  isGood(name: string, expires: number, signature: string): boolean {
    const now = (this.options.clock ?? systemClock).now().getTime() / 1000;
    return expires > now && equalSecrets(signature, this.signature(name, expires));
  }

  private signature(name: string, expires: number): string {
    return createHmac('sha256', this.options.secret).update(`${name}.${expires}`).digest('hex').slice(0, 32);
  }
}

/** The links of this service. */
export const mediaLinks = ({
  MEDIA_BASE_URL,
  MEDIA_SECRET,
  PORT,
}: Pick<Config, 'MEDIA_BASE_URL' | 'MEDIA_SECRET' | 'PORT'>): MediaLinks =>
  new MediaLinks({ baseUrl: MEDIA_BASE_URL ?? `http://127.0.0.1:${PORT}`, secret: MEDIA_SECRET });
