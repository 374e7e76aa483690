import {
  CLOCK_SKEW_SECONDS,
  sidHashOf,
  tokenTypeOf,
  tokenVerifier,
  type KeySource,
  type TokenVerifier,
} from '@platform/auth';
import { tokenTypes, type Claims, type Role, type TokenType } from '@platform/contracts';
import type { Database } from '@platform/data';
import { Unauthenticated } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import type { ServiceClients } from '../issuing/public';
import type { LiveSession, SessionRepository } from '../sessions/public';
import type { PreviewRepository } from './preview.repository';

/** A token that is valid, or would be had it not expired, with its holder's current rights. */
export interface InspectedToken {
  readonly type: TokenType;
  readonly claims: Claims;
  readonly email: string;
  readonly role: Role;
  readonly teams: readonly string[];
  readonly expired: boolean;
  /** The login it belongs to; undefined for services. */
  readonly session?: LiveSession;
  /** The referer that a preview token is bound to. */
  readonly referer?: string;
}

export interface InspectorDependencies {
  readonly database: Database;
  readonly sessions: SessionRepository;
  readonly previews: PreviewRepository;
  readonly clients: ServiceClients;
  readonly keys: KeySource;
  readonly clock: Clock;
  readonly logger: Logger;
}

const OWN_NAME = 'store-auth';

const invalid = (why: string): Unauthenticated => new Unauthenticated({ reason: 'invalid', cause: new Error(why) });

/** Verifies our own tokens; unlike other verifiers it reads the session row, so a revocation counts at once. */
export class TokenInspector {
  private readonly verifiers: ReadonlyMap<TokenType, TokenVerifier>;

  constructor(private readonly parts: InspectorDependencies) {
    const audiences = [
      [tokenTypes.access, [OWN_NAME]],
      [tokenTypes.preview, ['preview']],
      // Introspection: whichever service it was made for
      [tokenTypes.service, [OWN_NAME, ...parts.clients.audiences]],
    ] as const;
    this.verifiers = new Map(
      audiences.map(([type, [first, ...more]]) => [
        type,
        tokenVerifier({ ...parts, audience: [first, ...more], types: [type], cacheSize: 0 }),
      ]),
    );
  }

  /** Throws `Unauthenticated`; "expired" only of a token that would otherwise be valid (contract part A, `ekspired`). */
  async inspect(token: string, accepted: readonly TokenType[]): Promise<InspectedToken> {
    const inspected = await this.inspectLapsed(token, accepted);
    if (inspected.expired) throw new Unauthenticated({ reason: 'expired' });
    return inspected;
  }

  /** As `inspect`, but an expired token passes, marked as expired. */
  async inspectLapsed(token: string, accepted: readonly TokenType[]): Promise<InspectedToken> {
    const claims = await this.signed(token, accepted);
    const type = tokenTypeOf(token) ?? tokenTypes.access;
    const now = this.parts.clock.now().getTime() / 1000;
    const expired = claims.exp + CLOCK_SKEW_SECONDS <= now;
    const holder = type === tokenTypes.service ? this.service(claims) : await this.login(claims);
    const bound = type === tokenTypes.preview ? { referer: await this.referer(claims) } : {};
    return { type, claims, expired, ...holder, ...bound };
  }

  /** The claims of a token of ours, expired and revoked ones included: enough to say which login it belonged to. */
  async signed(token: string, accepted: readonly TokenType[]): Promise<Claims> {
    const type = tokenTypeOf(token);
    const verifier = type && accepted.includes(type) ? this.verifiers.get(type) : undefined;
    if (!verifier) throw invalid('a token of this type is not accepted here');
    return verifier.verifyExpired(token);
  }

  private service({ sub, role, teams, email }: Claims) {
    if (!this.parts.clients.bySubject(sub)) throw invalid('this service is not configured any more');
    return { email, role, teams };
  }

  private async login({ sid, sub, store_id: storeId }: Claims) {
    const { sessions, database } = this.parts;
    const session = await sessions.live(database, sidHashOf(sid), storeId);
    if (session?.userId !== sub) throw invalid('revoked, or user, membership or store disabled');
    const { email, role, teams } = session;
    return { email, role, teams, session };
  }

  private async referer({ jti }: Claims): Promise<string> {
    const referer = await this.parts.previews.refererOf(this.parts.database, jti);
    if (referer === undefined) throw invalid('this preview token was used up');
    return referer;
  }
}
