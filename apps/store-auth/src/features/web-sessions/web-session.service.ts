import type { Clock } from '@platform/runtime';
import { hashOf, opaqueToken } from '../issuing/public';
import type { BrowserValues, SessionClock, WebSessionRepository } from './web-session.repository';

const IDLE_MS = 24 * 3600_000;
const ABSOLUTE_MS = 7 * 24 * 3600_000;
const COOKIE = 'sa_session';

const idOf = (cookies: string | undefined): string | undefined =>
  /(?:^|;\s*)sa_session=([\w-]{43})(?:;|$)/.exec(cookies ?? '')?.[1];

/**
 * The cookie session `sa_session` (design 3.2): e-mail and referer of a browser, kept for token flows. It never proves an
 * identity: no token is issued because of it. Methods take the request's Cookie header and give the Set-Cookie header.
 */
export class WebSessions {
  constructor(
    private readonly repository: WebSessionRepository,
    private readonly clock: Clock,
    /** `secure`: sent over https only. */
    private readonly options: { readonly secure: boolean },
  ) {}

  /** Empty without a session, or once it has ended. */
  async values(cookies: string | undefined): Promise<BrowserValues> {
    const id = idOf(cookies);
    return (id && (await this.repository.touch(hashOf(id), this.times()))) || {};
  }

  /** Stores values in the browser's session; begins one when there is none. */
  async keep(cookies: string | undefined, values: BrowserValues): Promise<string | undefined> {
    const id = idOf(cookies);
    if (id && (await this.repository.change(hashOf(id), this.times(), values))) return undefined;
    return this.begin(values);
  }

  async dropReferer(cookies: string | undefined): Promise<void> {
    const id = idOf(cookies);
    if (id) await this.repository.change(hashOf(id), this.times(), { referer: null });
  }

  /** A new id with the old values, so that an id planted before a login is void after it (ASVS 7.2.4). */
  async rotate(cookies: string | undefined, values: BrowserValues): Promise<string | undefined> {
    const former = idOf(cookies);
    const id = opaqueToken();
    const renamed = former && (await this.repository.rename(hashOf(former), this.times(), { id: hashOf(id), values }));
    return renamed ? this.cookie(id) : undefined;
  }

  private async begin(values: BrowserValues): Promise<string> {
    const id = opaqueToken();
    await this.repository.insert(hashOf(id), values, this.clock.now());
    return this.cookie(id);
  }

  private cookie(id: string): string {
    const secure = this.options.secure ? '; Secure' : '';
    return `${COOKIE}=${id}; Path=/; Max-Age=${ABSOLUTE_MS / 1000}; HttpOnly; SameSite=Lax${secure}`;
  }

  private times(): SessionClock {
    const now = this.clock.now();
    return { now, idleSince: new Date(now.getTime() - IDLE_MS), begunSince: new Date(now.getTime() - ABSOLUTE_MS) };
  }
}

/** Headers of a reply that may set the cookie. */
export const cookieHeaders = (cookie: string | undefined): Record<string, string> =>
  cookie === undefined ? {} : { 'Set-Cookie': cookie };
