import type { ServiceTokens } from '@platform/auth';
import { httpClient } from '@platform/http';
import type { Component } from '@platform/runtime';
import { httpHandledChats } from './clients/chat.handled';
import { httpBotNotices } from './clients/bot.notice';
import { httpChatMessages } from './clients/chat.messages';
import { httpChatSyncClient } from './clients/chat.sync';
import { httpAccountsClient, httpSecondFactorClient } from './clients/store-auth.accounts';
import { httpIdentityClient } from './clients/store-auth.client';
import { httpCodesClient } from './clients/store-auth.codes';
import { httpLoginsClient } from './clients/store-auth.logins';
import { httpMembershipsClient } from './clients/store-auth.memberships';
import { askStoreAuth } from './clients/store-auth.peer';
import type { Config } from './config';

/** The other services, each behind one breaker. */
export const composeSiblings = ({ STORE_AUTH_URL, CHAT_URL, BOT_URL }: Config, tokens: ServiceTokens) => {
  const storeAuth = httpClient('store-auth', STORE_AUTH_URL);
  const ask = askStoreAuth(storeAuth, tokens);
  const chat = CHAT_URL === undefined ? undefined : httpClient('chat-backend', CHAT_URL);
  const bot = BOT_URL === undefined ? undefined : httpClient('bot-engine', BOT_URL);
  return {
    identity: httpIdentityClient(ask),
    accounts: httpAccountsClient(ask),
    secondFactor: httpSecondFactorClient(ask),
    codes: httpCodesClient(ask),
    logins: httpLoginsClient(ask),
    memberships: httpMembershipsClient(ask),
    chat: chat && httpChatSyncClient(chat, tokens),
    messages: chat && httpChatMessages(chat, tokens),
    handled: chat && httpHandledChats(chat, tokens),
    bot: bot && httpBotNotices(bot, tokens),
    components: [storeAuth, ...(chat ? [chat] : []), ...(bot ? [bot] : [])] satisfies Component[],
  };
};

export type Siblings = Omit<ReturnType<typeof composeSiblings>, 'components'>;
