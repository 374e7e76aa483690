import { Unavailable } from '@platform/errors';
import type { Agent } from '../agents/public';
import { standing, type CommittedRun, type ConversationRef, type Opened } from '../conversations/public';
import type { HistoryLine } from '../loop/public';
import type { MailboxLine } from '../mailbox/public';
import { answerRows, type PushRow } from '../push/public';
import { inOrder, namesNumber, type CustomerMessage } from './customer.message';
import {
  LEAST_MS,
  REQUEST_MS,
  statusOf,
  type AnswerStatus,
  type ChatbotAnswer,
  type Lead,
  type LeadDeps,
} from './lead.types';
import type { StoreBot, TurnInput, TurnLeader, Unasked } from './turn.types';

/** The lease is another leader's: what is left is its business. */
export class LeaseLost extends Error {}

/** A try more calls no model: no conversation blocks its messages for ever. */
const MOST_TRIES = 5;

const messageOf = ({ message }: MailboxLine): CustomerMessage => message as CustomerMessage;

const newest = <K extends 'instanceId' | 'chatId' | 'team'>(messages: readonly CustomerMessage[], key: K) =>
  messages.findLast((message) => message[key] !== undefined)?.[key];

const refOf = (messages: readonly CustomerMessage[], first: CustomerMessage): ConversationRef => {
  const [instanceId, chatId] = [newest(messages, 'instanceId'), newest(messages, 'chatId')];
  // The number may have been learned within the burst, of which any part may have been asked before that
  const named = namesNumber(messages) ?? messages.at(-1) ?? first;
  return {
    ...{ storeId: first.storeId, agentId: first.agentId, key: first.conversationKey },
    ...{ customer: named.customer, begunAs: named.begunAs },
    ...{ chat: chatId ?? instanceId, instanceId, chatId, team: newest(messages, 'team') },
  };
};

/** Where its answers go: what its messages say, else what earlier ones said. */
const addressed = (ref: ConversationRef, { address }: Opened): ConversationRef => ({
  ...ref,
  instanceId: ref.instanceId ?? address.instanceId,
  chatId: ref.chatId ?? address.chatId,
  team: ref.team ?? address.team,
});

interface Admission {
  /** False: the customer has had too many. */
  readonly isAllowed: boolean;
  readonly unasked?: Unasked;
}

const poisonous = ({ resumeAfterMin }: Agent): Unasked => ({
  reason: 'poison',
  resumeAt: new Date(Date.now() + resumeAfterMin * 60_000),
});

/** The lines in flight, until every one of them is answered by a committed run, or needs no answer. */
export class Rounds {
  readonly runs: CommittedRun[] = [];
  /** Of the lines in flight, this one included. */
  tries = 0;
  private admission: Admission | undefined;
  /** Whether one of the runs is its own: else everything was answered before. */
  private isAsked = false;
  private history: readonly HistoryLine[] = [];
  private idle: AnswerStatus = 'skipped';
  /** Runs that only the caller who waits would get. */
  private unpushed: CommittedRun[] = [];
  private where: { readonly id: string; readonly ref: ConversationRef } | undefined;

  constructor(
    private readonly deps: LeadDeps,
    private readonly lead: Lead,
  ) {}

  get answer(): ChatbotAnswer {
    const { runs, history } = this;
    return {
      status: statusOf(runs, this.idle),
      runs,
      history: runs.length > 0 ? history : [],
      replayed: runs.length > 0 && !this.isAsked,
    };
  }

  /** What fails now would fail for ever. */
  get isLastTry(): boolean {
    return this.tries > MOST_TRIES;
  }

  /** Time of the request that is left, in milliseconds. */
  get left(): number {
    return this.lead.begunAt + REQUEST_MS - Date.now();
  }

  private get isPushing(): boolean {
    return this.lead.gone?.aborted ?? true;
  }

  async round(lines: readonly MailboxLine[], bot: StoreBot): Promise<void> {
    const messages = inOrder(lines.map(messageOf));
    this.tries = 0;
    this.admission = undefined;
    // Another leader may commit one of them first: the rest is still to be answered
    for (let rest: readonly CustomerMessage[] = messages; rest.length > 0;) rest = await this.attempt(messages, bot);
  }

  /** Before the lines are done with: what nobody waits for any more goes out by itself. */
  async pushUndelivered(): Promise<void> {
    if (!this.isPushing || this.unpushed.length === 0 || !this.where) return;
    await this.deps.push(this.where.id, this.rowsOf(this.where.ref, this.unpushed));
    this.unpushed = [];
  }

  /** One turn for what is not answered yet; the messages that are still unanswered afterwards. */
  private async attempt(messages: CustomerMessage[], bot: StoreBot): Promise<readonly CustomerMessage[]> {
    const [first] = messages as [CustomerMessage];
    const ref = refOf(messages, first);
    const ids = messages.map(({ messageId }) => messageId);
    const opened = await this.deps.conversations.open(ref, ids);
    this.where = { id: opened.id, ref: addressed(ref, opened) };
    const fresh = messages.filter(({ messageId }) => !opened.answered.includes(messageId));
    if (fresh.length < messages.length) await this.recover(ref, opened.answered);
    if (fresh.length === 0) return [];
    const stands = standing(opened.handedOver, fresh, new Date());
    if (stands === 'silent') return this.silent('handover');
    this.admission ??= await this.admitted(bot, first);
    const { isAllowed, unasked } = this.admission;
    if (!isAllowed) return this.silent('skipped');
    const turn = { bot, conversation: this.where.ref, opened, standing: stands, messages: fresh, unasked };
    return (await this.answered(turn, messages)) ? [] : messages;
  }

  /** False when another leader has answered one of the messages. */
  private async answered(turn: Omit<TurnInput, 'leader'>, messages: CustomerMessage[]): Promise<boolean> {
    let isPushed = false;
    const { token, begunAt } = this.lead;
    const leader: TurnLeader = {
      ...{ token, begunAt, deadline: this.deadline(), stopping: this.deps.around.life.stopping },
      absorb: () => this.absorb(messages),
      pushes: (run) => {
        isPushed = this.isPushing;
        return isPushed ? this.rowsOf(turn.conversation, [...this.unpushed, run]) : [];
      },
    };
    const outcome = await this.deps.runTurn({ ...turn, leader });
    if (!outcome) return false;
    this.isAsked = true;
    this.add([outcome.run], outcome.history);
    this.unpushed = isPushed ? [] : [...this.unpushed, outcome.run];
    return true;
  }

  private silent(status: AnswerStatus): [] {
    this.idle = status;
    return [];
  }

  /** Counts the try and the customer's turn, once a round. */
  private async admitted(
    { store, agent }: StoreBot,
    { conversationKey: key, messageId }: CustomerMessage,
  ): Promise<Admission> {
    const { mailbox, asked } = this.deps;
    const [tries, isAllowed, exhausted] = await Promise.all([
      mailbox.attempt(this.lead.conversation, this.lead.token),
      asked.limits.customer(key, messageId),
      asked.budget.exhausted(store),
    ]);
    if (tries === 0) throw new LeaseLost();
    this.tries = tries;
    if (this.isLastTry) return { isAllowed, unasked: poisonous(agent) };
    return { isAllowed, unasked: exhausted && { reason: exhausted.why, resumeAt: exhausted.until } };
  }

  private deadline(): number {
    if (this.left < LEAST_MS) throw new Unavailable('the conversation is busy', { retryAfterSeconds: 2 });
    return Date.now() + Math.min(this.deps.around.settings.turnDeadlineMs, this.left);
  }

  /** What has arrived since, added to the messages of this round. */
  private async absorb(messages: CustomerMessage[]): Promise<readonly CustomerMessage[]> {
    const { conversation, token } = this.lead;
    const lines = (await this.deps.mailbox.drain(conversation, token)) ?? [];
    const known = new Set(messages.map(({ messageId }) => messageId));
    const more = inOrder(lines.map(messageOf).filter(({ messageId }) => !known.has(messageId)));
    messages.push(...more);
    return more;
  }

  /** Answers of earlier leaders, which did not come to say so. */
  private async recover(ref: ConversationRef, ids: readonly string[]): Promise<void> {
    const found = await this.deps.conversations.answered(ref, ids);
    const known = new Set(this.runs.map(({ id }) => id));
    const runs = found?.runs.filter(({ id }) => !known.has(id)) ?? [];
    this.add(runs, found?.lines ?? []);
    this.unpushed.push(...runs);
  }

  private add(runs: readonly CommittedRun[], history: readonly HistoryLine[]): void {
    this.runs.push(...runs);
    this.history = history;
  }

  private rowsOf(to: ConversationRef, runs: readonly CommittedRun[]): PushRow[] {
    return runs.flatMap((run) => answerRows(to, run));
  }
}
