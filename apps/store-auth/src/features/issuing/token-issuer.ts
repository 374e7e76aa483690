import type { SignedToken, TokenSigner } from '@platform/auth';
import { tokenTypes, type UserRole } from '@platform/contracts';
import { OWN_CLIENT, subjectOf } from './service-clients';
import type { ServiceClient } from './service-client.setting';

export const SERVICE_TTL_SECONDS = 600;
const OWN_TTL_SECONDS = 60;
export const PREVIEW_TTL_SECONDS = 3600;

/** The user and store that a login's tokens stand for. */
export interface TokenHolder {
  readonly userId: string;
  readonly email: string;
  readonly storeId: string;
  readonly role: UserRole;
  readonly teams: readonly string[];
}

export interface LoginToken {
  readonly holder: TokenHolder;
  readonly sid: string;
  readonly ttlSeconds: number;
}

/** Makes the tokens of the platform: claims of design 3.1. */
export class TokenIssuer {
  constructor(
    private readonly signer: TokenSigner,
    private readonly accessAudiences: readonly string[],
  ) {}

  access(token: LoginToken): SignedToken {
    return this.ofLogin(tokenTypes.access, this.accessAudiences, token);
  }

  preview(token: LoginToken): SignedToken {
    return this.ofLogin(tokenTypes.preview, 'preview', token);
  }

  /** `storeId` empty: good for any store, the callee takes it from the request. */
  service(client: ServiceClient, audience: string, storeId: string, ttlSeconds = SERVICE_TTL_SECONDS): SignedToken {
    const claims = { aud: audience, sub: subjectOf(client), store_id: storeId, role: client.role };
    return this.signer.sign(tokenTypes.service, { ...claims, teams: [], email: '', sid: 'svc' }, ttlSeconds);
  }

  /** For a call that this service makes at once. */
  own(audience: string, storeId: string): SignedToken {
    return this.service(OWN_CLIENT, audience, storeId, OWN_TTL_SECONDS);
  }

  private ofLogin(
    type: typeof tokenTypes.access | typeof tokenTypes.preview,
    aud: string | readonly string[],
    { holder: { userId, storeId, role, teams, email }, sid, ttlSeconds }: LoginToken,
  ): SignedToken {
    return this.signer.sign(type, { aud, sub: userId, store_id: storeId, role, teams, email, sid }, ttlSeconds);
  }
}
