import { createHash, createPublicKey } from 'node:crypto';
import { secretBox, type SecretBox } from '@platform/auth';
import type { Database, Sql } from '@platform/data';
import { Conflict, InvalidInput, Unauthenticated, Unavailable, type Failure } from '@platform/errors';
import { couldBeFetched } from '@platform/http';
import { cut, type Clock } from '@platform/runtime';
import type { BrowserKeys } from '../../../clients/push.services';
import { vapidOf } from '../../../clients/push.settings';
import type { LoginsClient } from '../../../clients/store-auth.logins';
import type { Config } from '../../../config';
import type { PushShown, PushSubscriptionGiven } from './subscriptions.dto';

/** One that is to be kept. */
type GivenBrowser = PushSubscriptionGiven & Required<Pick<PushSubscriptionGiven, 'keys'>>;

/** A member of a store, in one of their sign-ins. */
export interface BrowserOwner {
  readonly storeId: string;
  readonly userId: string;
  readonly sid?: string | undefined;
  /** The token of the sign-in, which store-auth is asked about before a browser is kept. */
  readonly bearer?: (() => string) | undefined;
}

/** Browsers of one member in one store. */
export const MOST_BROWSERS = 10;
const LABEL = 60;
const POINT_BYTES = 65;
const AUTH_BYTES = 16;

export const pushRefusals = {
  tooMany: (): Failure =>
    new Conflict(`A member is told in at most ${MOST_BROWSERS} browsers: remove one first`, {
      code: 'too_many_browsers',
    }),
} as const;

const wrong = (field: string, tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);

/** By which a browser is known here and by its own script. */
export const browserIdOf = (endpoint: string): string => createHash('sha256').update(endpoint).digest('base64url');

/** What a subscription is sealed for. */
export const pushPurpose = (storeId: string, id: string): string => `push_subscription ${storeId} ${id}`;

const isPoint = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== POINT_BYTES || bytes[0] !== 4) return false;
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => part.toString('base64url'));
  try {
    // One that is not on the curve is refused there
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }).type === 'public';
  } catch {
    return false;
  }
};

/** Where the cluster lets it send to (k8s/base/commerce-api/network-policy.yaml). */
const PORTS = ['', '8443'];
/** Letters of a name (RFC 1035 section 2.3.4): of a longer one no message can be signed. */
const MOST_NAME = 253;
const isReached = ({ port, host, hostname }: URL, allow: readonly string[]): boolean =>
  (PORTS.includes(port) || allow.includes(host)) && hostname.length <= MOST_NAME;

const SIGN_OUTS = 'SELECT sign_outs AS n FROM person WHERE user_id = $1';
const COUNT_SIGN_OUT = 'UPDATE person SET sign_outs = sign_outs + 1 WHERE user_id = $1';
/** Of a user, in all stores: who gives a browser and who signs out take turns. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('browsers ' || $1, 0))`;
/** Who sits before a browser now is told there, and nobody who sat there before. */
const OTHERS = 'DELETE FROM push_subscription WHERE id = $1 AND user_id <> $2';
const COUNT = `SELECT count(*)::int AS n FROM push_subscription WHERE store_id = $1 AND user_id = $2 AND id <> $3`;
const PUT = `
  INSERT INTO push_subscription AS p (store_id, id, user_id, sid, label, sealed, created_at, seen_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
  ON CONFLICT (store_id, id) DO UPDATE
  SET user_id = excluded.user_id, sid = excluded.sid, label = excluded.label, sealed = excluded.sealed, not_before = NULL, seen_at = excluded.seen_at`;
const REMOVE = 'DELETE FROM push_subscription WHERE store_id = $1 AND user_id = $2 AND id = $3';
const CONTENT = 'UPDATE membership SET push_content = $3 WHERE store_id = $1 AND user_id = $2';
const SHOWN = `
  SELECT m.push_content AS shows, coalesce((
    SELECT json_agg(json_build_object('id', p.id, 'label', p.label, 'at', p.created_at) ORDER BY p.created_at, p.id)
    FROM push_subscription p WHERE p.store_id = m.store_id AND p.user_id = m.user_id), '[]') AS browsers
  FROM membership m WHERE m.store_id = $1 AND m.user_id = $2`;
/** In all stores: a person signs out of a browser, not of a store. */
const SIGNED_OUT = 'DELETE FROM push_subscription WHERE user_id = $1 AND (sid = $2 OR id = $3)';
const SIGNED_OUT_ELSEWHERE = 'DELETE FROM push_subscription WHERE user_id = $1 AND sid IS DISTINCT FROM $2';

interface Shown {
  readonly shows: boolean;
  readonly browsers: readonly { readonly id: string; readonly label: string; readonly at: string }[];
}

interface Parts {
  readonly box: SecretBox;
  readonly sql: Sql;
  readonly clock: Clock;
  readonly logins: LoginsClient;
  /** Undefined: browsers are not pushed to. */
  readonly publicKey: string | undefined;
  /** Push services that may be of a private network. */
  readonly allow: readonly string[];
}

/** A browser whose member was signed in when it was given. */
export interface AskedBrowser {
  readonly keys: BrowserKeys;
  readonly label: string | undefined;
  readonly signOuts: number;
}

const signOutsOf = async (sql: Sql, { userId }: BrowserOwner): Promise<number> => {
  const [person] = await sql.query<{ n: number }>(SIGN_OUTS, [userId]);
  return person?.n ?? 0;
};

/** The browsers by which members are told while they look at no page. */
export class Subscriptions {
  constructor(private readonly parts: Parts) {}

  get isOffered(): boolean {
    return this.parts.publicKey !== undefined;
  }

  /**
   * What `put` takes, once its address and keys are right and store-auth says that the login is good: to be asked before there is a transaction,
   * so that nobody waits for store-auth with a connection in hand.
   */
  async asked(owner: BrowserOwner, { endpoint, keys: given, label }: GivenBrowser): Promise<AskedBrowser> {
    const { sql, logins } = this.parts;
    const keys = this.checked(endpoint, given);
    const signOuts = await signOutsOf(sql, owner);
    if (owner.bearer && !(await logins.isActive(owner.bearer()))) throw new Unauthenticated({ reason: 'invalid' });
    return { keys, label, signOuts };
  }

  /** Adds or renews a browser of a member. Resolves to its id. Throws `Unavailable` when they have signed out somewhere since it was asked for. */
  async put(tx: Sql, owner: BrowserOwner, { keys, label: given = '', signOuts }: AskedBrowser): Promise<string> {
    const { storeId, userId, sid = null } = owner;
    const id = browserIdOf(keys.endpoint);
    // In turn with sign-outs: one that comes later takes the browser with it
    await tx.query(TURN, [userId]);
    if ((await signOutsOf(tx, owner)) !== signOuts)
      throw new Unavailable('A login has just ended', { retryAfterSeconds: 1 });
    await tx.query(OTHERS, [id, userId]);
    const [before] = await tx.query<{ n: number }>(COUNT, [storeId, userId, id]);
    if ((before?.n ?? 0) >= MOST_BROWSERS) throw pushRefusals.tooMany();
    const { box, clock } = this.parts;
    const sealed = box.seal(JSON.stringify(keys), pushPurpose(storeId, id));
    const label = cut(given.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim(), LABEL) || 'Browser';
    await tx.query(PUT, [storeId, id, userId, sid, label, sealed, clock.now()]);
    return id;
  }

  async remove(sql: Sql, { storeId, userId }: BrowserOwner, id: string): Promise<void> {
    await sql.query(REMOVE, [storeId, userId, id]);
  }

  async showContent(sql: Sql, { storeId, userId }: BrowserOwner, shows: boolean): Promise<void> {
    await sql.query(CONTENT, [storeId, userId, shows]);
  }

  /** Nothing is asked where nothing is offered. */
  async shown(sql: Pick<Database, 'prepared'>, { storeId, userId }: BrowserOwner): Promise<PushShown> {
    const { publicKey } = this.parts;
    if (publicKey === undefined) return { public_key: null, show_content: false, devices: [] };
    const [row] = await sql.prepared<Shown>('push.shown', SHOWN, [storeId, userId]);
    const devices = (row?.browsers ?? []).map(({ at, ...browser }) => ({
      ...browser,
      created_at: new Date(at).toISOString(),
    }));
    return { public_key: publicKey, show_content: row?.shows ?? false, devices };
  }

  /** Throws `InvalidInput` for what nobody could send to, or may. */
  private checked(endpoint: string, { p256dh, auth }: GivenBrowser['keys']): BrowserKeys {
    const at = 'push_subscription';
    if (!this.isOffered) throw wrong(at, 'unavailable', 'is not offered: browsers are not pushed to');
    const { allow } = this.parts;
    if (!couldBeFetched(endpoint, { allow }) || !isReached(new URL(endpoint), allow))
      throw wrong(`${at}.endpoint`, 'public_url', 'must be an https address that everybody can reach');
    if (!isPoint(p256dh)) throw wrong(`${at}.keys.p256dh`, 'key', 'must be a public key of P-256 in base64url');
    if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES)
      throw wrong(`${at}.keys.auth`, 'key', 'must be 16 bytes in base64url');
    return { endpoint, p256dh, auth };
  }
}

/** They hold nothing themselves: each area that needs them makes its own. */
export const openSubscriptions = (config: Config, parts: Pick<Parts, 'clock' | 'logins' | 'sql'>): Subscriptions =>
  new Subscriptions({
    ...{ ...parts, box: secretBox(config.SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' }) },
    ...{ publicKey: vapidOf(config)?.publicKey, allow: config.PUSH_ALLOW_HOSTS },
  });

const inTurn = (database: Database, userId: string, text: string, values: readonly unknown[]): Promise<void> =>
  database.tx(async (tx) => {
    await tx.query(TURN, [userId]);
    await tx.query(COUNT_SIGN_OUT, [userId]);
    await tx.query(text, [userId, ...values]);
  });

/** Who has signed out of a browser is told nothing there any more; `browser`: its id, where it says one. To be called when the login has ended. */
export const signedOutOf = (
  database: Database,
  { userId, sid, browser }: { readonly userId: string; readonly sid?: string; readonly browser?: string },
): Promise<void> => inTurn(database, userId, SIGNED_OUT, [sid ?? null, browser ?? null]);

/** Of somebody whose other sign-ins have ended. */
export const signedOutElsewhere = (database: Database, userId: string, sid: string | undefined): Promise<void> =>
  inTurn(database, userId, SIGNED_OUT_ELSEWHERE, [sid ?? null]);
