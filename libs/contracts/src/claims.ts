/** store-auth names the kind of a token in its header (`typ`), because the claims of all kinds are the same. */
export const tokenTypes = { access: 'at+jwt', preview: 'preview+jwt', service: 'service+jwt' } as const;
export type TokenType = (typeof tokenTypes)[keyof typeof tokenTypes];

export const userRoles = ['owner', 'admin', 'supervisor', 'agent'] as const;
export type UserRole = (typeof userRoles)[number];
export const serviceRoles = ['service', 'bot'] as const;
export type ServiceRole = (typeof serviceRoles)[number];
export type Role = UserRole | ServiceRole;

export const TOKEN_ISSUER = 'store-auth';

/** Claims of every token of the platform: store-auth design 3.1. */
export interface Claims {
  readonly iss: string;
  readonly aud: string | readonly string[];
  /** User id, or `svc:<client>` of a service. */
  readonly sub: string;
  /** Empty in a service token that is valid for any store: the callee then takes the store from the request. */
  readonly store_id: string;
  readonly role: Role;
  readonly teams: readonly string[];
  readonly email: string;
  /** The login this token belongs to; `svc` for services. Feeds and tables hold only its SHA-256. */
  readonly sid: string;
  readonly jti: string;
  /** Epoch seconds, as are nbf and exp. */
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
}

/** Cache channel on which store-auth announces the events that its feed also holds. */
export const AUTH_EVENTS_CHANNEL = 'auth:events';

/** A login (by the hex SHA-256 of its sid), one token (by its jti), or all that a key has signed (by its kid), is no longer valid. */
export interface RevokeEvent {
  readonly type: 'revoke';
  readonly sid_hash?: string;
  readonly jti?: string;
  readonly kid?: string;
  /** Epoch seconds after which every token concerned has expired anyway. */
  readonly exp: number;
}

/** A membership's role or teams changed: overrides the claims of tokens issued before. */
export interface MembershipEvent {
  readonly type: 'membership';
  readonly store_id: string;
  readonly user_id: string;
  readonly role: UserRole;
  readonly teams: readonly string[];
  /** Epoch milliseconds of the change. */
  readonly at: number;
}

export type AuthEvent = RevokeEvent | MembershipEvent;

/** Answer of `GET /internal/events?since=`: pass `cursor` as the next `since`. */
export interface AuthEventPage {
  readonly items: readonly AuthEvent[];
  readonly cursor: string;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const roles: readonly string[] = [...userRoles, ...serviceRoles];

/** True for a decoded token body that has every claim with its type. Says nothing about the token's validity. */
export const isClaims = (value: unknown): value is Claims =>
  isObject(value) &&
  [value.iss, value.sub, value.store_id, value.email, value.sid, value.jti].every(isText) &&
  (isText(value.aud) || isTexts(value.aud)) &&
  isTexts(value.teams) &&
  isText(value.role) &&
  roles.includes(value.role) &&
  [value.iat, value.nbf, value.exp].every(isNumber);

/** An event from the channel or the feed; undefined when this version does not know it. */
export const asAuthEvent = (value: unknown): AuthEvent | undefined => {
  if (!isObject(value)) return undefined;
  if (value.type === 'revoke')
    return isNumber(value.exp) && [value.sid_hash, value.jti, value.kid].some(isText)
      ? (value as unknown as RevokeEvent)
      : undefined;
  if (value.type !== 'membership' || !isText(value.store_id) || !isText(value.user_id)) return undefined;
  const known =
    isNumber(value.at) && isTexts(value.teams) && isText(value.role) && userRoles.some((role) => role === value.role);
  return known ? (value as unknown as MembershipEvent) : undefined;
};
