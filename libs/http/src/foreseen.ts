import { failureKinds, failureOf, type Envelope } from '@platform/envelopes';
import type { AnyFailure, FailureKind } from '@platform/errors';
import { takesBody, takesFiles } from './arriving';
import { idempotencyRefusals } from './idempotency';
import { formLimiterOf, limiterOf } from './limiter';
import { segment } from './parameters';
import { hasParameters, parameterNames } from './path';
import { failuresIn, kindsIn } from './refuses';
import { publicGuard } from './request-view';
import type { Registration, Service } from './service';

/** A failure that an operation's description lists. */
export interface Foreseen {
  readonly failure: AnyFailure;
  /** Its text is its own, not that of a sample of its kind. */
  readonly named: boolean;
}

export interface Refused {
  readonly status: number;
  /** Undefined where the envelope gives none. */
  readonly code: string | undefined;
  readonly message: string | undefined;
  /** Names of the headers that it is sent with. */
  readonly headers: readonly string[];
}

interface Body {
  readonly code?: string;
  readonly message?: string;
  /** A number is a provider's own code, which the failure passes on. */
  readonly error?: { readonly code?: string | number };
}

/** The code that an envelope writes for a failure, in whichever member. */
export const refusedAs = (envelope: Envelope, failure: AnyFailure): Refused => {
  const { status, body, headers: given = {} } = envelope.failure(failure);
  const headers = Object.keys(given);
  if (typeof body === 'string') return { status, code: undefined, message: body, headers };
  const { code, message, error } = body as Body;
  const inner = typeof error?.code === 'string' ? error.code : undefined;
  return { status, code: code ?? inner, message, headers };
};

/** Kinds that follow from a declaration: a guard refuses strangers, a body can be malformed, too large or invalid. */
const ownKinds = (service: Service, registration: Registration): FailureKind[] => {
  const { endpoint, guard, path } = registration;
  const hasBody = takesBody(endpoint);
  const named = hasParameters(path);
  const isGuarded = guard.authenticate !== publicGuard.authenticate;
  const waits = (service.share && isGuarded) || (service.uploads && takesFiles(endpoint));
  const asked = hasBody || Boolean(endpoint.query ?? endpoint.idempotency ?? endpoint.headers);
  return [
    ...(isGuarded ? (['unauthenticated'] as const) : []),
    ...(named ? (['malformed'] as const) : []),
    ...(hasBody ? ([endpoint.malformed ?? 'malformed', 'tooLarge'] as const) : []),
    ...(asked ? (['invalid'] as const) : []),
    ...(limiterOf(service, registration) || formLimiterOf(service, registration) || waits
      ? (['tooMany'] as const)
      : []),
    'unavailable',
    'unexpected',
  ];
};

/** Of a path parameter that cannot name anything. */
const parameterFailures = ({ endpoint: { params = {} }, path }: Registration): AnyFailure[] =>
  parameterNames(path).map((name) => (params[name] ?? segment).refusal('…') as AnyFailure);

const listedFailures = (registration: Registration): AnyFailure[] => {
  const { endpoint, guard } = registration;
  const { refuses = [], idempotency } = endpoint;
  return failuresIn([...(guard.refuses ?? []), ...refuses, ...(idempotency ? idempotencyRefusals : [])]);
};

/** Every failure that an operation can answer: those that follow from what it declares, and those that it and its guard list. */
export const foreseenOf = (service: Service, registration: Registration): Foreseen[] => {
  const { endpoint, guard } = registration;
  const { special = [] } = endpoint.envelope ?? service.envelope;
  const own = ownKinds(service, registration);
  const kinds = new Set([...own, ...kindsIn([...(guard.refuses ?? []), ...(endpoint.refuses ?? [])])]);
  const general = [
    ...failureKinds.filter((kind) => kinds.has(kind)).map(failureOf),
    ...special.filter(({ kind }) => own.includes(kind)),
  ];
  return [
    ...general.map((failure) => ({ failure, named: false })),
    ...parameterFailures(registration).map((failure) => ({ failure, named: failure.code !== undefined })),
    ...listedFailures(registration).map((failure) => ({ failure, named: true })),
  ];
};

const keyOf = (envelope: Envelope, failure: AnyFailure): string => {
  const { status, code } = refusedAs(envelope, failure);
  return [failure.kind, status, code].join(' ');
};

/**
 * Describes refusals that the operation does not list. Undefined: it does, or it lists nothing at all. What it lists is made at the
 * first refusal and kept: a failure carries a stack trace, and making them all again takes as long as the rest of a refusal.
 */
export const unforeseenBy = (
  service: Service,
  registration: Registration,
): ((failure: AnyFailure) => string | undefined) => {
  const { endpoint, path } = registration;
  if (!endpoint.refuses) return () => undefined;
  const { envelope = service.envelope } = endpoint;
  let foreseen: ReadonlySet<string> | undefined;
  return (failure) => {
    foreseen ??= new Set(foreseenOf(service, registration).map((each) => keyOf(envelope, each.failure)));
    if (foreseen.has(keyOf(envelope, failure))) return undefined;
    const { status, code = 'no code' } = refusedAs(envelope, failure);
    const what = `${failure.kind}, ${status}, ${code}: ${failure.message}`;
    return `${endpoint.method.toUpperCase()} ${path} of ${service.name} does not list among \`refuses\`: ${what}`;
  };
};
