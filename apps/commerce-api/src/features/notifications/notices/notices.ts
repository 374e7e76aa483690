import { Rejected } from '@platform/errors';
import type { Database, Transaction } from '@platform/data';
import { uuidv7, type Clock, type Logger } from '@platform/runtime';
import type { ChatMessages } from '../../../clients/chat.messages';
import type { Mailer } from '../../../clients/mail.client';
import { topicOf } from '../../../clients/push.services';
import type { CommerceJobs, Queue } from '../../../jobs';
import { sends } from '../../../may-send';
import { userRoom, type Live } from '../../../live/public';
import type { Notice, NoticeEvent } from '../../../notice.types';
import { mayHear, type Listener } from '../notice.audience';
import { noticeTexts } from '../notice.events';
import { queuePushes } from '../pushes/public';
import { NOTE, noteOf, type NoteRow } from './notices.sql';
import { recipientsOf, type Recipient } from './recipients';

export interface NoticeParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly live: Live;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly outside: {
    /** Undefined: there is no chat-backend. */
    readonly messages: ChatMessages | undefined;
    /** Of the shop's pages. */
    readonly publicUrl: string | undefined;
  };
}

type Sending = CommerceJobs['notification.mail'];

const LOCALE = `SELECT coalesce((SELECT g.value ->> 'locale' FROM setting g WHERE g.store_id = $1 AND g.name = 'general'), 'id') AS locale`;

/** Who was told of a notice before is told nothing more. */
const INSERT = `
  INSERT INTO notification AS n (store_id, id, user_id, notice_id, event, title, body, url, in_app, created_at, named)
  SELECT $1::varchar, g.id, g.user_id, $3, $4, $5, $6, $7, g.in_app, $8, $9
  FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, user_id uuid, in_app boolean)
  ON CONFLICT (store_id, notice_id, user_id) DO NOTHING RETURNING n.user_id AS "userId", ${NOTE}`;

/** A member who has left, and a suspended store, are told nothing; nor is a number that nobody has proved, or one of a store that sends nothing. */
const DUE = `
  SELECT n.title, n.body, n.url, p.email, CASE WHEN p.phone_verified AND ${sends('s')} THEN p.phone END AS phone, s.name AS store,
    n.event, n.named, m.system_role AS role, r.abilities
  FROM notification n
    JOIN membership m ON m.store_id = n.store_id AND m.user_id = n.user_id AND m.status = 'active'
    JOIN store s ON s.store_id = n.store_id AND s.status <> 'suspended'
    JOIN person p ON p.user_id = n.user_id
    LEFT JOIN role r ON r.store_id = m.store_id AND r.id = m.role_id
  WHERE n.store_id = $1 AND n.id = $2`;

interface Due extends Listener {
  readonly event: NoticeEvent;
  readonly named: boolean;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly email: string;
  readonly phone: string | null;
  readonly store: string;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Tells members of a store, each once and by the ways that they chose: a row and its jobs commit together, sockets hear after that. */
export class Notices {
  constructor(private readonly parts: NoticeParts) {}

  /** The job of one notice. A repeat finds whom it has told. */
  async tell(notice: Notice): Promise<void> {
    await this.parts.database.tx(async (tx) => {
      const recipients = await recipientsOf(tx, notice);
      if (recipients.length === 0) return;
      const ways = new Map(recipients.map((each) => [each.userId, each.ways]));
      const pushed: string[] = [];
      for (const { userId, ...row } of await this.insert(tx, notice, recipients)) {
        const { in_app, email, whatsapp, push } = ways.get(userId) as Recipient['ways'];
        const sending = { storeId: notice.storeId, id: row.id };
        if (email) await this.parts.queue.enqueue(tx, 'notification.mail', sending);
        if (push) pushed.push(userId);
        if (whatsapp) await this.parts.queue.enqueue(tx, 'notification.chat', sending);
        const room = userRoom(notice.storeId, userId);
        if (in_app) this.parts.live.afterCommit(tx).emit(room, 'notification', noteOf(row));
      }
      if (pushed.length > 0) await this.push(tx, notice, pushed);
    });
  }

  /** The job of one mail. Whoever gets a repeat can tell that it is one. */
  async mail({ storeId, id }: Sending): Promise<void> {
    const due = await this.due({ storeId, id });
    if (!due) return;
    const subject = `${oneLine(due.title)} - ${oneLine(due.store)}`;
    await this.parts.mailer.send({
      to: due.email,
      subject,
      text: this.textOf(due),
      messageId: `<${id}@notices.invalid>`,
    });
  }

  /** The job of one message by the store's own device. */
  async chat({ storeId, id }: Sending): Promise<void> {
    const { logger, outside } = this.parts;
    const due = await this.due({ storeId, id });
    if (!due?.phone || !outside.messages) return;
    try {
      await outside.messages.send({ storeId, phone: due.phone, text: this.textOf(due), id: `notice:${id}` });
    } catch (failure) {
      if (!(failure instanceof Rejected)) throw failure;
      logger.warn('a member is told by other ways only', { store: storeId, notification: id, error: failure });
    }
  }

  /** Undefined: nobody is to be told. What its member may hear of is asked again, because a job may wait for hours. */
  private async due({ storeId, id }: Sending): Promise<Due | undefined> {
    const [due] = await this.parts.database.query<Due>(DUE, [storeId, id]);
    return due && (due.named || mayHear(due, due.event)) ? due : undefined;
  }

  /** Of all that is told of one page the last is shown. */
  private async push(tx: Transaction, notice: Notice, userIds: readonly string[]): Promise<void> {
    const { storeId, event, url } = notice;
    const [title, body] = await this.wordsOf(tx, notice);
    const about = { storeId, event, url, tag: topicOf(storeId, url), named: notice.userIds !== undefined };
    await queuePushes(this.parts.queue, tx, { ...about, title, body, userIds });
  }

  private async wordsOf(tx: Transaction, { storeId, event, params }: Notice): Promise<[title: string, body: string]> {
    const [{ locale } = { locale: 'id' as const }] = await tx.query<{ locale: 'id' | 'en' }>(LOCALE, [storeId]);
    const [title, body] = noticeTexts[event][locale];
    return [title, oneLine(body(params))];
  }

  private textOf({ body, url }: Due): string {
    const { publicUrl } = this.parts.outside;
    return publicUrl === undefined ? body : `${body}\n${publicUrl}${url}`;
  }

  private async insert(
    tx: Transaction,
    notice: Notice,
    recipients: readonly Recipient[],
  ): Promise<(NoteRow & { readonly userId: string })[]> {
    const { storeId, id, event, url, userIds } = notice;
    const [title, body] = await this.wordsOf(tx, notice);
    const rows = recipients.map(({ userId, ways }) => ({ id: uuidv7(), user_id: userId, in_app: ways.in_app }));
    const values = [storeId, JSON.stringify(rows), id, event, title, body, url];
    return tx.query(INSERT, [...values, this.parts.clock.now(), userIds !== undefined]);
  }
}
