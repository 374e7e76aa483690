import { caller } from '@platform/testing';
import type { Registration } from '@platform/http';
import { forServicesOnly, type Need } from './abilities';
import type { Commerce } from './commerce.fixture';
import { signatureOf, type Signing } from './features/bot/door/door.fixture';

export interface Made {
  readonly id: string;
}

/** A request of somebody else's service: the bytes that it has signed, and what the documentation shows of them. */
export class Signed {
  constructor(
    readonly headers: Readonly<Record<string, string>>,
    readonly shown: object,
    readonly raw: string,
  ) {}
}

/**
 * Makes one good call of a route, which the documentation then shows; a `{part}` of its path is the next of `places`. Whoever owns
 * the shop asks, or a buyer where nobody needs to sign in. Returns the data of the answer.
 */
export type Tell = <Data = Made>(route: string, request?: object, ...places: readonly string[]) => Promise<Data>;

/** Makes one call of a route that is refused with this status, as the documentation then shows it. */
export type Refuse = (status: number, route: string, request?: object, ...places: readonly string[]) => Promise<void>;

/** One shop, from which everything that the documentation shows was taken. */
export interface Story {
  readonly commerce: Commerce;
  readonly tell: Tell;
  /** The same without being shown. */
  readonly ask: Tell;
  readonly refuse: Refuse;
}

export type Recorded = (registration: Registration, request: unknown, status: number, body: unknown) => void;

/** A picture as a form brings it, with further fields. */
export const pictureForm = (field: string, name: string, more: Readonly<Record<string, string>> = {}): FormData => {
  const form = new FormData();
  for (const [key, value] of Object.entries(more)) form.append(key, value);
  form.append(field, new Blob([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(48_209)]), name);
  return form;
};

export const csvForm = (rows: readonly string[]): FormData => {
  const form = new FormData();
  form.append('file', new Blob([`${rows.join('\n')}\n`]), 'daftar.csv');
  return form;
};

/** No row has this id. */
export const NOBODY = '0199f7a0-0000-7000-8000-0000000000ff';

/** What buyers come with. */
export const BROWSER =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36';

/** Of a login: chat-backend is asked with the token of whoever asks here. */
const AUDIENCE = ['store-auth', 'commerce-api', 'chat-backend'];

const tokenFor = ({ storeAuth }: Commerce, { guard, endpoint }: Registration): string | undefined => {
  if (guard.label.startsWith('none')) return undefined;
  const isForServices = forServicesOnly.has(endpoint.guard as Need);
  if (!isForServices) return storeAuth.userToken({ aud: AUDIENCE });
  return storeAuth.serviceToken(endpoint.guard === 'chat.tell' ? 'chat-backend' : 'ads-client', 'S1');
};

/** Which of our services calls without a token, by guard. */
const SIGNERS: Readonly<Record<string, Signing>> = {
  engine: {},
  ingress: { service: 'ingress', secret: 'a secret of the ingress' },
};

interface Call {
  readonly route: string;
  readonly request: object | undefined;
  readonly places: readonly string[];
}

interface Answered {
  readonly registration: Registration;
  readonly status: number;
  readonly body: unknown;
  /** What the documentation shows of the request. */
  readonly shown: object | undefined;
}

const called = async (
  commerce: Commerce,
  registrations: readonly Registration[],
  { route, request, places }: Call,
): Promise<Answered> => {
  const registration = registrations.find(({ endpoint, path }) => `${endpoint.method.toUpperCase()} ${path}` === route);
  if (!registration) throw new Error(`${route} is not mounted`);
  const { endpoint } = registration;
  const [method = '', template = ''] = route.split(' ');
  const rest = [...places];
  const path = template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ''));
  const query = method === 'GET' && request ? `?${new URLSearchParams(request as Record<string, string>)}` : '';
  const token = tokenFor(commerce, registration);
  const given = request instanceof Signed ? request.raw : request;
  const sent = method === 'GET' ? undefined : given;
  const signing = SIGNERS[endpoint.guard];
  const headers: Record<string, string> = {
    'user-agent': BROWSER,
    ...(request instanceof Signed ? request.headers : {}),
    ...(endpoint.idempotency === 'required' && { 'idempotency-key': `key-of-${path}` }),
    ...(signing && signatureOf(commerce, method, path + query, sent ? JSON.stringify(sent) : '', signing)),
  };
  const { status, body } = await caller(commerce.url)(path + query, { method, token, headers, body: sent });
  // A form with a file in it is no request to copy
  const shown = request instanceof Signed ? request.shown : request;
  return { registration, status, body, shown: shown instanceof FormData ? undefined : shown };
};

/** Calls routes of the service, and gives `recorded` each answer. Throws when one is not a success. */
export const tellerOf =
  (commerce: Commerce, registrations: readonly Registration[], recorded: Recorded): Tell =>
  async <Data>(route: string, request?: object, ...places: readonly string[]): Promise<Data> => {
    const { registration, status, body, shown } = await called(commerce, registrations, { route, request, places });
    if (status >= 300) throw new Error(`${route}: ${status} ${JSON.stringify(body)}`);
    recorded(registration, shown, status, body);
    return (body as { data: Data }).data;
  };

/** The same for calls that are refused. Throws when one is answered with another status. */
export const refuserOf =
  (commerce: Commerce, registrations: readonly Registration[], recorded: Recorded): Refuse =>
  async (wanted, route, request, ...places) => {
    const { registration, status, body } = await called(commerce, registrations, { route, request, places });
    if (status !== wanted) throw new Error(`${route}: ${status} ${JSON.stringify(body)}`);
    recorded(registration, undefined, status, body);
  };

/** The name under which the documentation finds an answer: that of a refusal ends with its code. */
export const nameOf = ({ endpoint }: Registration, status: number, body: unknown): string => {
  const route = `${endpoint.method.toUpperCase()} ${endpoint.path}`;
  return status < 300 ? route : `${route}: ${(body as { code: string }).code}`;
};
