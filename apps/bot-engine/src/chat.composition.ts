import type { ServiceTokens } from '@platform/auth';
import { httpClient } from '@platform/http';
import type { Component } from '@platform/runtime';
import { httpChat, noChat } from './clients/chat';
import type { ChatClient } from './clients/chat.client';
import type { Config } from './config';

/** chat-backend as all rooms call it, over one pool of connections. */
export const composeChat = (
  { CHAT_URL }: Pick<Config, 'CHAT_URL'>,
  tokens: ServiceTokens,
): { readonly chat: ChatClient; readonly components: readonly Component[] } => {
  if (CHAT_URL === undefined) return { chat: noChat(), components: [] };
  const http = httpClient('chat-backend', CHAT_URL, { connections: 64 });
  return { chat: httpChat(http, tokens), components: [http] };
};
