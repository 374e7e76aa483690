/** Statements of ours use `uuidv7()` and `RETURNING old.*`, which it brought. */
const OLDEST = 18;

type Ask = (sql: string) => Promise<readonly { readonly version: string; readonly number: number }[]>;

/** Throws when the server is older than our statements, which otherwise would fail one by one, some of them days later. */
export const refuseOldServer = async (ask: Ask): Promise<void> => {
  const [server] = await ask(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number`,
  );
  if (server && server.number < OLDEST * 10_000)
    throw new Error(`The server is PostgreSQL ${server.version}: ${OLDEST} or newer is needed.`);
};
