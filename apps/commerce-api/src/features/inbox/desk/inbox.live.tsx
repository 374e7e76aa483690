import { NotFound } from '@platform/errors';
import { LruCache } from '@platform/runtime';
import type { Listening } from '@platform/realtime';
import type { Caller } from '../../../abilities';
import type { ChatLive } from '../../../clients/chat.live';
import type { LivePage } from '../../../web/page.types';
import type { ConversationRef } from '../conversations/public';
import { Bubble, Ticks } from './bubble.view';
import { Anyway } from './composer.view';
import type { DeskMessage, DeskRow, InboxDesk } from './inbox.desk';
import type { InboxRow, ThreadMessage, ThreadQuery } from './inbox.types';
import { isIn } from './inbox.views';
import { ChatRow, chatAddress, listOf, Rows, type ListQuery } from './rows.view';
import { Band, Messages, type BandParts } from './thread.view';

/** A page repairs itself so often besides: an event is also lost when its process ends between the commit and the telling. */
const REPAIR_MS = 60_000;
/** A message that the list knows of and nobody has told is fetched after this. */
const GAP_MS = 1_000;
const ROWS_KEPT = 2_000;

interface Listed {
  readonly op: 'upsert' | 'remove';
  readonly chat_list: DeskRow;
  readonly version: number;
}
interface Status {
  readonly chatId: string;
  readonly pesan_id: string;
  readonly status_ack: ThreadMessage['status'];
}

export interface LiveParts {
  readonly desk: InboxDesk;
  readonly chat: ChatLive;
  readonly teams: (storeId: string) => Promise<BandParts['teams']>;
  readonly seats: (caller: Caller) => Promise<BandParts['me']['seats']>;
}

type Live = LivePage<ThreadQuery>;

/** Rows are looked up once for all who are told of them. */
export class ToldRows {
  private readonly rows = new LruCache<string, Promise<InboxRow | undefined>>({ limit: ROWS_KEPT });

  constructor(private readonly desk: InboxDesk) {}

  of(storeId: string, row: DeskRow): Promise<InboxRow | undefined> {
    const key = `${row.chatId} ${row.version}`;
    const known = this.rows.get(key);
    if (known) return known;
    const shown = this.desk.shown({ storeId }, [row]).then(([one]) => one);
    this.rows.set(key, shown);
    shown.catch(() => this.rows.delete(key));
    return shown;
  }
}

/** What one open page of the inbox is told. */
export class InboxLive {
  private readonly list: ListQuery;
  private lastSeq = 0;
  private help: InboxRow['help'];
  private ready = false;
  private isStale = false;
  private repairing: Promise<void> | undefined;
  private readonly early: (() => void)[] = [];

  constructor(
    private readonly parts: LiveParts & { readonly rows: ToldRows },
    private readonly live: Live,
    /** The chat that is open. */
    private readonly ref: ConversationRef | undefined,
  ) {
    this.list = listOf(live.asked.query);
  }

  /** Listens first and looks then: what happens in between is told afterwards. */
  async start(): Promise<void> {
    const { chat } = this.parts;
    const { stream } = this.live;
    const token = this.live.viewer().session.token;
    const heard = {
      event: (name: string, payload: unknown) => this.whenReady(() => this.told(name, payload)),
      ended: () => stream.end(),
    };
    const listening = await chat.listen(token, heard);
    stream.whenOver(() => listening.close());
    if (this.ref) await this.enter(listening, this.ref);
    await this.repair();
    this.ready = true;
    for (const event of this.early.splice(0)) event();
    stream.every(REPAIR_MS, () => this.repairSoon());
  }

  private async enter(listening: Listening, { chatId }: ConversationRef): Promise<void> {
    const { result } = (await listening.ask('chatJoin', { chatId })) as { readonly result?: boolean };
    if (result !== true) throw new NotFound('Conversation not found');
  }

  private whenReady(event: () => void): void {
    if (this.ready) event();
    else this.early.push(event);
  }

  private told(name: string, payload: unknown): void {
    if (name === 'newMessage') this.message((payload as { readonly inbox: DeskMessage }).inbox);
    // How help was asked for stands in the history alone
    if (name === 'historyChat') this.repairSoon();
    if (name === 'statusMessage') this.status(payload as Status);
    if (name === 'updateChatlist') this.orEnd(this.row(payload as Listed));
  }

  /** It comes back, and whoever refused it says why then. */
  private orEnd(work: Promise<void>): void {
    work.catch(() => this.live.stream.end());
  }

  private send(part: Parameters<Live['html']>[0]): void {
    this.live.stream.send('html', { html: this.live.html(part) });
  }

  private message(message: DeskMessage): void {
    if (message.seq > this.lastSeq + 1) return this.repairSoon();
    this.lastSeq = Math.max(this.lastSeq, message.seq);
    this.orEnd(this.bubble(message));
  }

  private async bubble(row: DeskMessage): Promise<void> {
    const { asked, viewer } = this.live;
    const [message] = await this.parts.desk.said(viewer().caller, [row]);
    if (message) this.send(<Bubble message={message} t={asked.t} />);
  }

  private status({ pesan_id: id, status_ack: status }: Status): void {
    this.send(<Ticks {...{ id, status, t: this.live.asked.t }} />);
  }

  private async row({ op, chat_list: row, version }: Listed): Promise<void> {
    const { stream, viewer, asked } = this.live;
    const { storeId, actor } = viewer().caller;
    const isOpen = row.chatId === this.ref?.chatId;
    if (op === 'remove') {
      stream.send('gone', { id: row.chatId, version });
      return isOpen ? stream.end() : undefined;
    }
    const shown = await this.parts.rows.of(storeId, row);
    if (!shown || stream.isOver) return;
    if (this.list.q === undefined && !isIn(this.list.view, shown, actor))
      stream.send('gone', { id: row.chatId, version });
    else this.send(<ChatRow {...{ row: shown, list: this.list, isOpen, t: asked.t }} />);
    if (isOpen) await this.openRow(shown);
  }

  /** The chat that is open has changed. */
  private async openRow(row: InboxRow): Promise<void> {
    const { stream } = this.live;
    if (row.team !== this.ref?.team) return stream.send('moved', { to: chatAddress(row, this.list) });
    this.send(await this.band({ ...row, help: this.help }));
    if (row.lastSeq <= this.lastSeq) return;
    setTimeout(() => {
      if (row.lastSeq > this.lastSeq) this.repairSoon();
    }, GAP_MS).unref();
  }

  private async band(chat: InboxRow) {
    const { asked, viewer, form } = this.live;
    const { caller } = viewer();
    const fields = form();
    const [teams, seats] = await Promise.all([this.parts.teams(caller.storeId), this.parts.seats(caller)]);
    return (
      <>
        <Band {...{ chat, me: { ...caller, seats }, teams, list: this.list, form: fields, t: asked.t }} />
        <Anyway {...{ chat, caller, form: fields, t: asked.t }} />
      </>
    );
  }

  private repairSoon(): void {
    this.isStale = true;
    this.repairing ??= this.repaired().finally(() => (this.repairing = undefined));
    this.orEnd(this.repairing);
  }

  /** Again, when something was missed while it was looked. */
  private async repaired(): Promise<void> {
    while (this.isStale && !this.live.stream.isOver) {
      this.isStale = false;
      await this.repair();
    }
  }

  /** All of the page as it would be shown now: what it has already, it keeps. */
  private async repair(): Promise<void> {
    const { asked, viewer } = this.live;
    const { caller } = viewer();
    const { cursor } = asked.query;
    const { desk } = this.parts;
    const [listed, thread] = await Promise.all([
      desk.rows(caller, { ...this.list, ...(cursor !== undefined && { cursor }) } as Parameters<InboxDesk['rows']>[1]),
      this.ref && desk.thread(caller, this.ref),
    ]);
    this.send(<Rows {...{ listed, list: this.list, openId: this.ref?.chatId, t: asked.t }} />);
    if (!thread) return;
    this.help = thread.chat.help;
    this.lastSeq = Math.max(this.lastSeq, ...thread.messages.map(({ seq }) => seq));
    this.send(<Messages {...{ thread, list: this.list, isBefore: false, t: asked.t }} />);
    this.send(await this.band(thread.chat));
  }
}
