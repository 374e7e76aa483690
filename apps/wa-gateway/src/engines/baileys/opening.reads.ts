import { anyGathered, gathered, type Sql } from '@platform/data';

const CREDS = `
SELECT instance_id AS id, value FROM auth_key WHERE instance_id = ANY ($1) AND type = 'creds' AND id = 'creds' AND archived_at IS NULL`;

const WITH_STUBS = `
SELECT device AS id FROM unnest($1::text[]) AS device WHERE EXISTS (SELECT 1 FROM held_stub WHERE instance_id = device)`;

const WITH_FAREWELLS = `
SELECT device AS id FROM unnest($1::text[]) AS device WHERE EXISTS (SELECT 1 FROM farewell WHERE instance_id = device)`;

const openingReads = (sql: Sql) => {
  const named = (name: string, text: string) => async (instanceIds: readonly string[]) =>
    (await sql.prepared<{ id: string }>(name, text, [instanceIds])).map(({ id }) => id);
  return {
    /** Of the account that the device is linked to, as `AuthStore` seals them. */
    sealedCreds: gathered(async (instanceIds) => {
      const rows = await sql.prepared<{ id: string; value: string }>('auth_key_creds', CREDS, [instanceIds]);
      return new Map(rows.map(({ id, value }) => [id, value]));
    }),
    hasStubs: anyGathered(named('held_stub_any', WITH_STUBS)),
    hasFarewells: anyGathered(named('farewell_any', WITH_FAREWELLS)),
  };
};

const known = new WeakMap<Sql, ReturnType<typeof openingReads>>();

/** What every device of a database asks for when it opens: once for all that do so at the same time, which may be hundreds (ADR 75). */
export const openingReadsOn = (sql: Sql): ReturnType<typeof openingReads> => {
  const reads = known.get(sql) ?? openingReads(sql);
  known.set(sql, reads);
  return reads;
};
