import type { Database } from '@platform/data';

interface Named {
  readonly name?: string;
  readonly text: string;
}
/** Several go together. */
type Asked = string | Named | { readonly statements: readonly Named[] };

const eachOf = (asked: Asked): readonly Named[] =>
  typeof asked === 'string' ? [{ text: asked }] : 'statements' in asked ? asked.statements : [asked];

/** What a gateway asks every few seconds for all of its devices. */
const ROUNDS = /_with_(unacknowledged|forgotten|waiting)|campaign_used|late_file_due/;

/** Notes every statement of the pool from now on, those of transactions too, by its name or the beginning of its text; `aside` are passed over. */
export const watchStatements = ({ pool }: Pick<Database, 'pool'>, aside: RegExp): string[] => {
  const statements: string[] = [];
  const watched = new WeakSet();
  pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      query: (...args: unknown[]) => {
        const [asked] = args as [Asked];
        for (const { name, text } of eachOf(asked))
          if (!aside.test(text) && !ROUNDS.test(name ?? '')) statements.push(name ?? text.trim().slice(0, 60));
        return query(...args);
      },
    });
  });
  return statements;
};
