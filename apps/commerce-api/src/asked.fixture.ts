import { caller, documentedAnswers, type CallRequest } from '@platform/testing';
import { bearer, newStore, type Commerce } from './commerce.fixture';
import type { DemoProduct } from './features/demo/seed/demo-shop.types';

export interface Answered<Data = never> {
  readonly status: number;
  readonly body: { readonly data: Data; readonly meta?: object; readonly code?: string; readonly message: string };
}

/** Calls the service as the owner of one store; `key` is the Idempotency-Key. */
export type Ask = <Data = never>(method: string, path: string, body?: unknown, key?: string) => Promise<Answered<Data>>;

export interface OwnStore {
  readonly storeId: string;
  readonly ask: Ask;
}

/** One for all stores of a service: it describes an operation when that is called first. */
const misfitsOf = new WeakMap<Commerce, ReturnType<typeof documentedAnswers>>();

/** Asks the service at the address; throws when the answer is not as its operation documents it. */
export const askDocumented = async <Data = never>(
  commerce: Commerce,
  url: string,
  path: string,
  request: CallRequest & { readonly method: string },
): Promise<Answered<Data>> => {
  const misfits = misfitsOf.get(commerce) ?? documentedAnswers(commerce.app);
  misfitsOf.set(commerce, misfits);
  const { method } = request;
  const { status, body } = await caller(url)(`/api${path}`, request);
  const found = misfits(method, `/api${path}`, status, body);
  if (found.length > 0) throw new Error(`${method} ${path} is not as documented: ${found.join('; ')}`); // `expect` costs more than the check
  return { status, body: body as never };
};

/** Tokens of owners, each one login for as long as the clock stands: to sign and verify one takes longer than many a request. */
const loginsOf = (commerce: Commerce): ((storeId: string) => string) => {
  const tokens = new Map<string, string>();
  return (storeId) => {
    const key = `${storeId} ${commerce.clock.now().getTime()}`;
    const token = tokens.get(key) ?? commerce.storeAuth.userToken({ store_id: storeId });
    tokens.set(key, token);
    return token;
  };
};

/** The calls of a store's owner; every answer must be as its operation documents it. */
export const askOf = (commerce: Commerce): ((storeId: string) => Ask) => {
  const tokenOf = loginsOf(commerce);
  return (storeId) => (method, path, body, key) => {
    const headers = bearer(tokenOf(storeId), key === undefined ? {} : { 'idempotency-key': key });
    return askDocumented(commerce, commerce.url, path, { method, body, headers });
  };
};

/** A new store with these products and one warehouse, and the calls of its owner. */
export const ownStore = async (
  commerce: Commerce,
  products: readonly Partial<DemoProduct>[] = [],
): Promise<OwnStore> => {
  const storeId = await newStore(commerce, products);
  return { storeId, ask: askOf(commerce)(storeId) };
};

/** The first words of a list of texts, as a success answers it. */
export const succeeded = (status: number, message: string, data: unknown) => ({
  status,
  body: { status: 'success', message, data },
});

export const refused = (status: number, code: string, message: string, more: object = {}) => ({
  status,
  body: { status: 'error', message, code, ...more },
});

/** A refusal of one field. */
export const invalid = (field: string, message: string) =>
  refused(422, 'validation', message, { errors: { [field]: [message] } });

/** An id in a body or a query that names nothing of the store: `items[0].variant_id`, `is not on sale in this store`. */
export const notHere = (field: string, text: string) =>
  refused(404, 'not_found', `${field} ${text}`, { field: field.replace(/\[(\d+)\]/g, '.$1') });

/** What the audit log tells of a store, in order: `product.write product: name, status`. */
export const auditedIn = async (commerce: Commerce, storeId: string): Promise<string[]> => {
  const rows = await commerce.database.query<{ told: string }>(
    `SELECT action || ' ' || subject_type || ': ' || (SELECT string_agg(key, ', ' ORDER BY key) FROM jsonb_object_keys(diff) key) AS told
     FROM audit_log WHERE tenant_id = $1 ORDER BY id`,
    [storeId],
  );
  return rows.map(({ told }) => told);
};
