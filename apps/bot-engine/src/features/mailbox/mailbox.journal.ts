import type { Sql } from '@platform/data';
import { storableJson } from '@platform/runtime';
import { idOf } from './mailbox.keys';
import type { MailboxLine } from './mailbox.types';

export interface JournalLine {
  readonly conversation: string;
  readonly line: MailboxLine;
  readonly role: 'leader' | 'joined';
  readonly token: string;
}

/** What a line leaves behind: which repeats of it are told. */
export interface SeenLine {
  readonly n: string;
  readonly conversation: string;
  readonly id: string;
  readonly role: 'leader' | 'joined';
  readonly token: string;
}

export interface WaitingLine extends SeenLine {
  readonly arrived: Date;
  readonly line: MailboxLine;
  readonly tries: number;
}

const PAGE = 1000;
const COLUMNS = `n::text, conv_key AS conversation, id_message AS id, role, lead_token::text AS token`;

/** The rows of `bot_mailbox`: what the mailbox of a process without Redis takes up again when it starts. */
export interface Journal {
  add(line: JournalLine): Promise<void>;
  /** The ids have had their turn; those that are unknown are ignored. */
  done(conversation: string, ids: readonly string[]): Promise<void>;
  tried(conversation: string, ids: readonly string[], tries: number): Promise<void>;
  /** In the order of arrival, in pages. */
  waiting(): AsyncGenerator<WaitingLine[]>;
  /** Those of the last day that had their turn, in any order, in pages. */
  finished(): AsyncGenerator<SeenLine[]>;
}

const paged = async function* <Row>(page: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ;) {
    const rows = await page(last);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
  }
};

const ADD = `
  INSERT INTO bot_mailbox (conv_key, id_message, role, lead_token, payload) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (conv_key, id_message) DO UPDATE SET
    n = DEFAULT, role = excluded.role, lead_token = excluded.lead_token, payload = excluded.payload,
    tries = 0, done_at = NULL, created_at = now()`;
const DONE = `UPDATE bot_mailbox SET done_at = now() WHERE conv_key = $1 AND id_message = ANY ($2) AND done_at IS NULL`;
const TRIED = `UPDATE bot_mailbox SET tries = $3 WHERE conv_key = $1 AND id_message = ANY ($2)`;

/** `n` alone in ORDER BY would be the column of the answer, a text, by which the tenth comes before the second. $1 the last one of the page before */
const WAITING = `
  SELECT ${COLUMNS}, payload AS line, tries, created_at AS arrived FROM bot_mailbox
  WHERE done_at IS NULL AND n > $1::bigint ORDER BY bot_mailbox.n LIMIT ${PAGE}`;

/** In the order of the key, which all pages together read once. $1 conversation and $2 id of the last one of the page before */
const FINISHED = `
  SELECT ${COLUMNS} FROM bot_mailbox
  WHERE done_at > now() - interval '1 day' AND (conv_key, id_message) > ($1, $2) ORDER BY conv_key, id_message LIMIT ${PAGE}`;

export const journalOf = (sql: Sql): Journal => ({
  add: async ({ conversation, line, role, token }) => {
    const values = [conversation, idOf(line.idMessage), role, token, storableJson(line)];
    await sql.prepared('mailbox add', ADD, values);
  },
  done: async (conversation, ids) => void (await sql.prepared('mailbox done', DONE, [conversation, ids])),
  tried: async (conversation, ids, tries) =>
    void (await sql.prepared('mailbox tried', TRIED, [conversation, ids, tries])),
  waiting: () => paged<WaitingLine>((last) => sql.query(WAITING, [last?.n ?? '0'])),
  finished: () => paged<SeenLine>((last) => sql.query(FINISHED, [last?.conversation ?? '', last?.id ?? ''])),
});
