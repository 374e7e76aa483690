import type { Database, Sql, Transaction } from '@platform/data';

/** The database as a service knows it that works in the transaction of a form: it opens none of its own. */
export const within = (tx: Transaction): Pick<Database, 'tx'> & Sql => ({
  query: (text, values) => tx.query(text, values),
  prepared: (name, text, values) => tx.prepared(name, text, values),
  later: (name, text, values) => tx.later(name, text, values),
  tx: (work) => work(tx),
});
