import {
  Conflict,
  Failure,
  Forbidden,
  InvalidInput,
  NotFound,
  Rejected,
  TooLarge,
  Unavailable,
  UnsupportedMedia,
  UpstreamFailed,
  UpstreamTimedOut,
} from '@platform/errors';
import { peer, type HttpClient, type Peer, type PeerCall, type PeerOptions } from '@platform/http';

/** What owners do not know, by their codes. */
const UNKNOWN = {
  broadcast_not_found: 'Broadcast',
  chat_not_found: 'Conversation',
  device_not_found: 'Device',
  message_not_found: 'Message',
  team_not_found: 'Chat team',
  template_not_found: 'Template',
  ticket_not_found: 'Ticket',
  user_not_found: 'User',
} as const;

/** What the state of things at the owner does not allow, by its codes, which are ours too (design 5.6). */
const CONFLICTS = {
  already_rated: 'The ticket is rated already',
  broadcast_started: 'The broadcast has begun already',
  chat_busy: 'Somebody is changing this conversation: try again',
  chat_finished: 'The conversation is closed',
  chat_handled: 'Somebody else handles this conversation',
  device_offline: 'The device is not connected',
  duplicate: 'This was done already',
  id_taken: 'The id belongs to something else',
  session_full: 'The session is full: open another one',
  status_changed: 'It is in another state meanwhile',
  ticket_closed: 'The ticket is closed',
  too_broad: 'That means too many: narrow it down',
  version_conflict: 'Somebody else has changed it since: read it again',
} as const;
export type OwnersConflict = keyof typeof CONFLICTS;

const meaning = <M>(codes: object, as: M): Record<string, M> =>
  Object.fromEntries(Object.keys(codes).map((code) => [code, as]));

const REFUSALS: NonNullable<PeerOptions['refusals']> = {
  ...{ 400: Rejected, 404: NotFound, 409: Conflict, 413: TooLarge, 415: UnsupportedMedia, 422: Rejected },
  ...{ forbidden: Forbidden, forbidden_team: Forbidden },
  ...meaning(UNKNOWN, NotFound),
  ...meaning(CONFLICTS, Conflict),
};

/** As an endpoint documents one. */
export const ownersConflict =
  (code: OwnersConflict): (() => Failure) =>
  () =>
    new Conflict(CONFLICTS[code], { code });

/** What every route can answer that asks an owner. */
export const OWNER_AWAY = ['upstreamFailed', 'upstreamTimedOut', 'tooMany'] as const;

export interface FaceOptions extends Pick<PeerOptions, 'timeoutMs' | 'token'> {
  /** What a thing is called whose owner says no more than that there is none. */
  readonly thing: string;
}

export interface FaceCall<T> extends PeerCall<T> {
  /** Our names of the fields that are called otherwise there. */
  readonly names?: Readonly<Record<string, string>>;
}

/** The owner of what a face shows: answers as ours (design 5.6), by their codes and never by their texts. */
export interface Face {
  ask<T extends object>(call: FaceCall<T>): Promise<T>;
  /** The same with the token of our caller. */
  as(bearer: string): Face;
}

const refusedFields = (failure: Failure, names: Readonly<Record<string, string>>): InvalidInput | undefined => {
  const { errors = {} } = failure.details as { readonly errors?: Readonly<Record<string, readonly string[]>> };
  const violations = Object.entries(errors).map(([field, [text = 'is not accepted']]) => {
    const ours = names[field] ?? field;
    return { field: ours, tag: 'owner', message: text.startsWith(field) ? ours + text.slice(field.length) : text };
  });
  return violations.length > 0 ? new InvalidInput(violations, { cause: failure }) : undefined;
};

const told = <Code extends string>(texts: Readonly<Record<Code, string>>, code: string | undefined) =>
  code !== undefined && Object.hasOwn(texts, code) ? texts[code as Code] : undefined;

const ours = (failure: unknown, name: string, thing: string, names: Readonly<Record<string, string>>): unknown => {
  if (failure instanceof NotFound)
    return new NotFound(`${told(UNKNOWN, failure.code) ?? thing} not found`, { cause: failure });
  if (failure instanceof Conflict) {
    const { code } = failure;
    return new Conflict(told(CONFLICTS, code) ?? 'The state of it does not allow this', { code, cause: failure });
  }
  if (failure instanceof Forbidden) return new Forbidden('You may not do this here', { cause: failure });
  if (failure instanceof Rejected)
    return (
      refusedFields(failure, names) ??
      new UpstreamFailed(`${name} refuses the request`, { outcome: 'refused', cause: failure })
    );
  if (failure instanceof Unavailable)
    return new UpstreamFailed(`${name} cannot answer`, { outcome: 'undone', cause: failure });
  return failure;
};

const faceOf = (owner: Peer, thing: string): Face => ({
  ask: ({ names = {}, ...call }) =>
    owner.ask(call).catch((failure: unknown) => {
      throw ours(failure, owner.name, thing, names);
    }),
  as: (bearer) => faceOf(owner.as(bearer), thing),
});

const nobody = (name: string): Face => ({
  ask: () => Promise.reject(new UpstreamFailed(`There is no ${name} here`, { outcome: 'undone' })),
  as: () => nobody(name),
});

/** One owner behind a face; without an address it is away. */
export const face = (name: string, http: HttpClient | undefined, { thing, ...options }: FaceOptions): Face =>
  http === undefined
    ? nobody(name)
    : faceOf(
        peer(name, http, { ...options, refusals: REFUSALS, fieldErrors: true, breaker: { perStore: true } }),
        thing,
      );

/** Whether the owner has said that nothing came of a call, and would say it again. */
export const isRefusal = (failure: unknown): boolean =>
  failure instanceof UpstreamFailed || failure instanceof UpstreamTimedOut
    ? !failure.unknown
    : failure instanceof Failure;

const FINAL = [NotFound, Conflict, InvalidInput, Forbidden, TooLarge] as const;

/**
 * Whether asking again is of no use: the owner says no to what is asked itself. What is over in a while is not: an owner that cannot answer
 * or has too much to do, a token that cannot be had, our own database.
 */
export const isFinal = (failure: unknown): boolean =>
  failure instanceof UpstreamFailed || failure instanceof UpstreamTimedOut
    ? failure.outcome === 'refused'
    : FINAL.some((each) => failure instanceof each);
