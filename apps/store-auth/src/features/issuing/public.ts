// What other features of this app may use.
export { hashOf, opaqueToken } from './opaque-token';
export type { ServiceClients } from './service-clients';
export { PREVIEW_TTL_SECONDS, type TokenIssuer } from './token-issuer';
