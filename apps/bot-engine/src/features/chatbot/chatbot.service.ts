import type { Principal } from '@platform/auth';
import { NotFound, Unavailable } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { refuseForeignStore } from '../../own-store';
import type { Agents } from '../agents/public';
import type { Offer } from '../mailbox/public';
import type { StoreDirectory } from '../stores/public';
import { awaitedAnswer } from './answer.awaited';
import type { CustomerMessage } from './customer.message';
import { MERGED, REQUEST_MS, SKIPPED, type ChatbotAnswer, type LeadDeps } from './lead.types';
import { leads } from './leader';
import type { StoreBot } from './turn.types';

export interface ChatbotDeps {
  readonly stores: StoreDirectory;
  readonly agents: Pick<Agents, 'get'>;
  readonly lead: LeadDeps;
}

const isSilent = ({ store, agent }: StoreBot): boolean => !agent.enabled || store.status === 'suspended';

/** The bot of a line that waited; undefined when it says nothing any more. */
export const botOfLine =
  (stores: StoreDirectory, agents: Pick<Agents, 'get'>): LeadDeps['botOf'] =>
  async ({ idStore, idAgent }) => {
    try {
      const bot = { store: await stores.get(idStore), agent: await agents.get(idStore, idAgent) };
      return isSilent(bot) ? undefined : bot;
    } catch (failure) {
      if (failure instanceof NotFound) return undefined;
      throw failure;
    }
  };

interface Asked {
  readonly message: CustomerMessage;
  /** Epoch milliseconds. */
  readonly begunAt: number;
  readonly gone: AbortSignal;
  readonly bot: StoreBot;
}

/**
 * Answers customers: every message once, whatever happens to the caller, this process or its replicas. Messages of a burst are
 * one turn, whose answer goes to the request that leads it.
 */
export class ChatbotService {
  constructor(private readonly deps: ChatbotDeps) {}

  /** `gone` aborts when the caller has gone; the answer then leaves by itself. */
  async answer(message: CustomerMessage, caller: Principal, gone: AbortSignal): Promise<ChatbotAnswer> {
    const { meters } = this.deps.lead.around;
    try {
      const answer = await this.answered(message, caller, gone);
      meters.turn(answer.status);
      return answer;
    } catch (failure) {
      if (failure instanceof Unavailable) meters.turn('failed');
      throw failure;
    }
  }

  private async answered(message: CustomerMessage, caller: Principal, gone: AbortSignal): Promise<ChatbotAnswer> {
    const begunAt = Date.now();
    refuseForeignStore(caller, message.storeId);
    const { life } = this.deps.lead.around;
    life.refuseWhenEnding();
    const store = await this.deps.stores.get(message.storeId);
    const bot = { store, agent: await this.deps.agents.get(message.storeId, message.agentId) };
    if (message.isGroup || isSilent(bot)) return SKIPPED;
    await this.deps.lead.asked.limits.refuseWhenFull(message.storeId);
    return this.kept({ message, begunAt, gone, bot });
  }

  /**
   * Until it is answered. When nobody is at it any more it is offered anew: a mailbox that knows it has said nothing to it, and
   * one that lost its data has lost the message.
   */
  private async kept(asked: Asked): Promise<ChatbotAnswer> {
    for (let before: string | undefined; ;) {
      const offered = await this.offer(asked.message);
      if (offered.kind === 'joined' || (offered.kind === 'dup' && offered.was === 'joined')) return MERGED;
      if (offered.kind === 'dup' && offered.token === before) return SKIPPED;
      const answer = await this.answerOf(offered, asked);
      if (answer) return answer;
      before = offered.token;
    }
  }

  private async answerOf(
    { kind, token }: Offer,
    { message, begunAt, gone, bot }: Asked,
  ): Promise<ChatbotAnswer | undefined> {
    const { lead } = this.deps;
    const { life } = lead.around;
    const leading = { conversation: message.mailboxKey, token, begunAt, gone, bot };
    const led = kind === 'leader' ? await life.during(leads(lead, leading)) : undefined;
    if (led) return led;
    const ending = AbortSignal.any([gone, life.ending]);
    return awaitedAnswer(lead, { message, token, until: begunAt + REQUEST_MS, ending });
  }

  private offer(message: CustomerMessage) {
    const { storeId: idStore, agentId: idAgent, customer: idUser, messageId: idMessage, mailboxKey } = message;
    const line = { idStore, idAgent, idUser, idMessage, message };
    return this.deps.lead.mailbox.offer(mailboxKey, line, uuidv7());
  }
}
