import { caller } from '@platform/testing';
import type { Registration } from '@platform/http';
import { forServicesOnly, type Need } from './abilities';
import type { Commerce } from './commerce.fixture';
import { signatureOf } from './features/bot/door/door.fixture';

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

/** One shop, from which everything that the documentation shows was taken. */
export interface Story {
  readonly commerce: Commerce;
  readonly tell: Tell;
  /** The same without being shown. */
  readonly ask: Tell;
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

const tokenFor = ({ storeAuth }: Commerce, { guard, endpoint }: Registration): string | undefined => {
  if (guard.label.startsWith('none')) return undefined;
  const isForServices = forServicesOnly.has(endpoint.guard as Need);
  return isForServices ? storeAuth.serviceToken('ads-client', 'S1') : storeAuth.userToken({});
};

/** Calls routes of the service, and gives `recorded` each answer. Throws when one is not a success. */
export const tellerOf =
  (commerce: Commerce, registrations: readonly Registration[], recorded: Recorded): Tell =>
  async <Data>(route: string, request?: object, ...places: readonly string[]): Promise<Data> => {
    const found = registrations.find(({ endpoint, path }) => `${endpoint.method.toUpperCase()} ${path}` === route);
    if (!found) throw new Error(`${route} is not mounted`);
    const [method = '', template = ''] = route.split(' ');
    const rest = [...places];
    const path = template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ''));
    const query = method === 'GET' && request ? `?${new URLSearchParams(request as Record<string, string>)}` : '';
    const token = tokenFor(commerce, found);
    const body = request instanceof Signed ? request.raw : request;
    const sent = method === 'GET' ? undefined : body;
    const headers: Record<string, string> = {
      ...(request instanceof Signed ? request.headers : {}),
      ...(found.endpoint.idempotency === 'required' && { 'idempotency-key': `key-of-${path}` }),
      ...(found.endpoint.guard === 'engine' && signatureOf(commerce, method, path, sent ? JSON.stringify(sent) : '')),
    };
    const { status, body: answer } = await caller(commerce.url)(path + query, { method, token, headers, body: sent });
    if (status >= 300) throw new Error(`${route}: ${status} ${JSON.stringify(answer)}`);
    // A form with a file in it is no request to copy
    const shown = request instanceof Signed ? request.shown : request;
    recorded(found, shown instanceof FormData ? undefined : shown, status, answer);
    return (answer as { data: Data }).data;
  };
