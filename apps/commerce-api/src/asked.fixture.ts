import { caller, documentedAnswers } from '@platform/testing';
import { bearer, newStore, type Commerce } from './commerce.fixture';
import type { DemoProduct } from './features/catalogue/seed/seed.command';

export interface Answered<Data = never> {
  readonly status: number;
  readonly body: { readonly data: Data; readonly meta?: object; readonly code?: string; readonly message: string };
}

/** Calls the service as the owner of one store. */
export type Ask = <Data = never>(method: string, path: string, body?: unknown) => Promise<Answered<Data>>;

export interface OwnStore {
  readonly storeId: string;
  readonly ask: Ask;
}

/** The calls of a store's owner; every answer must be as its operation documents it. */
export const askOf = (commerce: Commerce): ((storeId: string) => Ask) => {
  let misfits: ReturnType<typeof documentedAnswers> | undefined;
  return (storeId) => async (method, path, body) => {
    misfits ??= documentedAnswers(commerce.app);
    const headers = bearer(commerce.storeAuth.userToken({ store_id: storeId }));
    const answer = await caller(commerce.url)(`/api${path}`, { method, body, headers });
    expect({ path, misfits: misfits(method, `/api${path}`, answer.status, answer.body) }).toEqual({
      path,
      misfits: [],
    });
    return { status: answer.status, body: answer.body as never };
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

/** What the audit log tells of a store, in order: `product.write product: name, status`. */
export const auditedIn = async (commerce: Commerce, storeId: string): Promise<string[]> => {
  const rows = await commerce.database.query<{ told: string }>(
    `SELECT action || ' ' || subject_type || ': ' || (SELECT string_agg(key, ', ' ORDER BY key) FROM jsonb_object_keys(diff) key) AS told
     FROM audit_log WHERE tenant_id = $1 ORDER BY id`,
    [storeId],
  );
  return rows.map(({ told }) => told);
};
