import type { ServiceTokens } from '@platform/auth';
import type { HttpClient, PeerCall } from '@platform/http';
import { face, type Face, type FaceCall } from './face';
import type { ModelTurns } from './model.turns';

/** Who asks, in which store. */
export interface Asking {
  readonly storeId: string;
  /** User id, or whoever else acts. */
  readonly actor: string;
}

/** One success of bot-engine. */
export interface BotAnswer<Data> {
  readonly data: Data;
}

/** A page of a list of bot-engine. */
export interface BotPage<Row> {
  readonly data: readonly Row[];
  readonly meta: { readonly total: number; readonly current_page: number; readonly per_page: number };
}

/** A part of a feed of bot-engine. */
export interface BotFeed<Row> {
  readonly data: readonly Row[];
  readonly meta: { readonly next_cursor: string | null };
}

/** Where bot-engine is asked about what it owns: agents, what they know, what they cost, and trials of them (its design 2.10). */
export interface BotDesk {
  ask<Answer extends object>(who: Asking, call: FaceCall<Answer>): Promise<Answer>;
  /** The same for what a model answers, which takes its time. */
  askModel<Answer extends object>(who: Asking, call: FaceCall<Answer>): Promise<Answer>;
}

export interface BotPatience {
  readonly timeoutMs: number;
  readonly modelTimeoutMs: number;
  readonly turns: ModelTurns;
}

const ACTOR = /^[^\p{Cc}\p{Cs}]{1,64}$/u;

const asked = <T extends object>({ storeId, actor }: Asking, call: PeerCall<T>): PeerCall<T> => ({
  ...call,
  storeId,
  headers: ACTOR.test(actor) ? { 'x-actor-id': actor } : {},
});

/** bot-engine over HTTP, with the service's token for the store. */
export const httpBotDesk = (
  http: HttpClient | undefined,
  tokens: ServiceTokens,
  { timeoutMs, modelTimeoutMs, turns }: BotPatience,
): BotDesk => {
  const token = (storeId?: string): Promise<string> => tokens.for('bot-engine', storeId);
  const bot: Face = face('bot-engine', http, { thing: 'Agent', timeoutMs, token });
  const ask: BotDesk['ask'] = (who, call) => bot.ask({ ...asked(who, call), ...(call.names && { names: call.names }) });
  return { ask, askModel: (who, call) => turns(who.storeId, () => ask(who, { ...call, timeoutMs: modelTimeoutMs })) };
};
