import { createHash, randomBytes } from 'node:crypto';
import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import { Unavailable } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { AccessGrant, IdentityClient } from '../../clients/store-auth.client';
import type { Membership } from '../../membership';
import {
  endOthers,
  endSession,
  findSession,
  forgetSession,
  formerOwner,
  insertSession,
  moveSession,
  renewSession,
  touchSession,
  type SessionRow,
} from './session.sql';

/** What a browser holds: 256 random bits. */
const SECRET = /^[\w-]{43}$/;
/** A token is exchanged while it is still good, so that no request finds it expired. */
const RENEW_BEFORE_MS = 5 * 60_000;

export interface SessionParts {
  readonly sql: Sql;
  readonly identity: IdentityClient;
  readonly box: SecretBox;
  readonly clock: Clock;
}

export interface OpenSession extends SessionRow {
  /** What the cookie holds. */
  readonly secret: string;
  readonly token: string;
  /** As it was read with the session; undefined where the token had to be exchanged since: what they may is read again. */
  readonly membership: Membership | undefined;
}

/**
 * What the forms of a session are made with. Those of one store are no forms of the next one that it goes to: another tab still shows the one
 * before.
 */
export const formSecret = ({ secret, store_id }: Pick<OpenSession, 'secret' | 'store_id'>): string =>
  `${secret} ${store_id}`;

export interface Beginning {
  readonly grant: AccessGrant;
  readonly userId: string;
  readonly storeId: string;
  readonly locale: 'id' | 'en';
  /** By which the browser is known as one that is pushed to. */
  readonly browser: string | undefined;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
const purposeOf = (hash: string): string => `web_session ${hash}`;

/** The user's other browsers are out at their next request, whichever process answers it, and whether store-auth answers or not. */
export const endOtherSessions = (sql: Sql, { user_id, secret }: OpenSession, at: Date): Promise<void> =>
  endOthers(sql, user_id, hashOf(secret), at);

/**
 * Sign-ins of browsers. The database holds the hash of what the cookie holds, and the token of store-auth sealed: neither who reads it nor who
 * has a browser's cookie alone has the other's.
 */
export class WebSessions {
  constructor(private readonly parts: SessionParts) {}

  /** A new one each time somebody signs in, so that a secret that was there before opens nothing. Resolves to what the cookie holds. */
  async begin({ grant, ...beginning }: Beginning): Promise<string> {
    const { sql, clock } = this.parts;
    const secret = randomBytes(32).toString('base64url');
    const hash = hashOf(secret);
    const at = clock.now();
    await insertSession(sql, { hash, at, ...beginning, ...this.sealed(grant, hash, at) });
    return secret;
  }

  /** Undefined: it has ended, or was never one. Throws `Unavailable` when the token has expired and store-auth is away. */
  async open(secret: string | undefined): Promise<OpenSession | undefined> {
    const session = await this.asItStands(secret);
    if (!session) return undefined;
    const { sql, clock } = this.parts;
    const hash = hashOf(session.secret);
    const now = clock.now();
    if (session.token_expires_at.getTime() - now.getTime() <= RENEW_BEFORE_MS) return this.renewed(session, hash);
    if (session.seen_anew) await touchSession(sql, hash, now);
    return session;
  }

  /** For who leaves, and whose token may have expired: store-auth is not asked. */
  async asItStands(secret: string | undefined): Promise<OpenSession | undefined> {
    if (secret === undefined || !SECRET.test(secret)) return undefined;
    const { sql, clock, box } = this.parts;
    const hash = hashOf(secret);
    const row = await findSession(sql, hash, clock.now());
    return row && { ...row, secret, token: box.open(row.token_enc, purposeOf(hash)), membership: row };
  }

  /** The token of the same login in another store takes the place of the one before. */
  async move({ secret, token_enc }: OpenSession, grant: AccessGrant, storeId: string): Promise<void> {
    const { sql, clock } = this.parts;
    const [hash, at] = [hashOf(secret), clock.now()];
    await moveSession(sql, hash, token_enc, { ...this.sealed(grant, hash, at), storeId, at });
  }

  /** Its login is over: of whom it was is known for the time that a form is kept. */
  async end(secret: string): Promise<void> {
    await endSession(this.parts.sql, hashOf(secret), this.parts.clock.now());
  }

  async forget(secret: string): Promise<void> {
    await forgetSession(this.parts.sql, hashOf(secret));
  }

  /** Whose browser it was. */
  async formerOwner(
    secret: string | undefined,
  ): Promise<{ readonly user_id: string; readonly store_id: string } | undefined> {
    return secret !== undefined && SECRET.test(secret) ? formerOwner(this.parts.sql, hashOf(secret)) : undefined;
  }

  private sealed(
    grant: AccessGrant,
    hash: string,
    at: Date,
  ): { readonly sealed: string; readonly tokenExpiresAt: Date } {
    return {
      sealed: this.parts.box.seal(grant.access_token, purposeOf(hash)),
      tokenExpiresAt: new Date(at.getTime() + grant.expires_in * 1000),
    };
  }

  /** Who asks at the same time gets the same successor (store-auth design 3.2), so nobody waits for anybody. */
  private async renewed(session: OpenSession, hash: string): Promise<OpenSession | undefined> {
    const { identity, sql, clock } = this.parts;
    const grant = await identity.refresh(session.token).catch((failure: unknown) => {
      if (failure instanceof Unavailable && session.token_expires_at > clock.now()) return 'later' as const;
      throw failure;
    });
    if (grant === 'later') return { ...session, membership: undefined };
    if (!grant) {
      await this.end(session.secret);
      return undefined;
    }
    const at = clock.now();
    const after = { ...this.sealed(grant, hash, at), at };
    await renewSession(sql, hash, session.token_enc, after);
    const renewed = { token: grant.access_token, token_enc: after.sealed, token_expires_at: after.tokenExpiresAt };
    return { ...session, ...renewed, membership: undefined };
  }
}
