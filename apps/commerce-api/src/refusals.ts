import { Conflict, Forbidden, Gone, NotFound, PaymentRequired, Unauthenticated, type Failure } from '@platform/errors';

/** The store is closed to who asks, whatever they ask for. */
export class NotAMember extends Forbidden {}

/** What this service refuses; without a code of its own a refusal has that of its kind (design 2). */
export const refusals = {
  /** One text for unknown, wrong and disabled, so that nobody learns which addresses have an account. */
  badCredentials: (): Failure =>
    new Unauthenticated({ reason: 'invalid', message: 'Email or password is wrong', code: 'bad_credentials' }),
  emailUnverified: (): Failure => new Forbidden('Confirm your email address first', { code: 'email_unverified' }),
  notAMember: (): Failure => new NotAMember('You are not an active member of this store'),
  otherStore: (): Failure => new Forbidden('The token belongs to another store'),
  /** An id in a body or a query that names no row of the store that can stand there, another store's included (design 2.1). */
  notHere: (field: string, text: string): Failure =>
    new NotFound(`${field} ${text}`, { details: { field: field.replace(/\[(\d+)\]/g, '.$1') } }),
  unknownStore: (): Failure => new NotFound('Store not found'),
  planUnpaid: (): Failure =>
    new PaymentRequired('The plan of the store is unpaid: until its bill is paid it can only be read', {
      code: 'past_due',
    }),
  planEnded: (): Failure =>
    new PaymentRequired('The plan of the store has ended: choose one to send messages', { code: 'plan_ended' }),
  abilityMissing: (ability: string): Failure =>
    new Forbidden(`This needs the ability ${ability}`, { details: { ability } }),
  tokenNotAllowed: (): Failure => new Forbidden('This needs a login of a user', { code: 'token_not_allowed' }),
  storeSuspended: (): Failure => new Forbidden('The store is suspended', { code: 'store_suspended' }),
  twoFactorOn: (): Failure => new Conflict('Two-factor sign-in is on already', { code: 'two_factor_on' }),
  twoFactorOff: (): Failure => new Conflict('Two-factor sign-in is off', { code: 'two_factor_off' }),
  twoFactorNotBegun: (): Failure => new Conflict('Begin with the password first', { code: 'two_factor_not_begun' }),
  versionConflict: (): Failure =>
    new Conflict('Somebody else has changed it since: read it again', { code: 'version_conflict' }),
  grantTooFar: (ability: string): Failure =>
    new Forbidden(`You cannot grant the ability ${ability}, which you lack`, { details: { ability } }),
  nameTaken: (): Failure => new Conflict('The name is taken', { code: 'name_taken' }),
  roleInUse: (): Failure => new Conflict('Members or invitations have this role', { code: 'in_use' }),
  systemRole: (): Failure => new Conflict('The roles that every store has cannot be changed', { code: 'system_role' }),
  isOwner: (): Failure => new Conflict('The owner cannot be changed or removed', { code: 'is_owner' }),
  planLimit: (metric: string, limit: number): Failure =>
    new PaymentRequired(`The plan allows ${limit} (${metric})`, { details: { metric, limit } }),
  alreadyMember: (): Failure => new Conflict('This person works here already', { code: 'already_member' }),
  alreadyInvited: (): Failure =>
    new Conflict('This address is invited already: send the invitation again', { code: 'already_invited' }),
  /** One text for a link that is wrong, used, withdrawn or too old. */
  linkExpired: (): Failure => new Gone('The link has expired or was withdrawn', { code: 'expired' }),
} as const;
