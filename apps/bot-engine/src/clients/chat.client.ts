import type { Verdict } from '@platform/outbox';

/** Where in chat-backend something goes (design 2.8). */
export interface ChatAddress {
  readonly storeId: string;
  readonly customer: string;
  readonly instanceId: string;
  readonly team: string;
  readonly chatId?: string;
}

/** One thing that is pushed; `id` is its `pesan_id`, so that a repeat is harmless. */
export interface PushedBubble extends ChatAddress {
  readonly id: string;
  readonly content: { readonly text: string } | { readonly picture: string };
  /** Only while the chat is still `open`. */
  readonly onlyIfOpen: boolean;
}

export interface Escalation extends ChatAddress {
  readonly reason: string;
  readonly priority: 'medium' | 'high';
}

/** `dropped`: the chat is a person's now, which is as good as done. */
export type PushVerdict = { readonly verdict: Verdict; readonly dropped?: true };

/** chat-backend as the bot engine calls it: the only place that knows its paths. Never rejects. */
export interface ChatClient {
  push(bubble: PushedBubble, signal: AbortSignal): Promise<PushVerdict>;
  escalate(escalation: Escalation, signal: AbortSignal): Promise<PushVerdict>;
}
