import type { ServiceTokens } from '@platform/auth';
import type { Sql } from '@platform/data';
import { httpClient } from '@platform/http';
import type { Clock, Component } from '@platform/runtime';
import { httpChatBroadcasts } from './clients/chat.broadcasts';
import { httpChatDesk } from './clients/chat.desk';
import { httpHandledChats } from './clients/chat.handled';
import { httpBotDesk } from './clients/bot.desk';
import { httpBotNotices } from './clients/bot.notice';
import { httpBotWelcomes } from './clients/bot.welcomes';
import { chatLive } from './clients/chat.live';
import { httpChatLoads } from './clients/chat.loads';
import { httpChatMessages } from './clients/chat.messages';
import { httpChatStats } from './clients/chat.stats';
import { httpChatSyncClient } from './clients/chat.sync';
import { httpAccountsClient, httpSecondFactorClient } from './clients/store-auth.accounts';
import { httpIdentityClient } from './clients/store-auth.client';
import { httpCodesClient } from './clients/store-auth.codes';
import { httpLoginsClient } from './clients/store-auth.logins';
import { httpMembershipsClient } from './clients/store-auth.memberships';
import { askStoreAuth } from './clients/store-auth.peer';
import { MODEL_PLACES, modelTurns } from './clients/model.turns';
import { httpWaGateway } from './clients/wa.gateway';
import type { Config } from './config';
import type { BroadcastMeta } from './features/broadcasts/public';
import { connectedLine, isLoggedOut, DeviceStates } from './features/devices/public';

/** Each call of a model keeps one for half a minute; the others are for calls that it answers at once. */
const BOT_CONNECTIONS = MODEL_PLACES + 32;

interface Around {
  readonly database: Sql;
  readonly clock: Clock;
}

/** The keeper of WhatsApp sessions, and how they are. */
const gatewayOf = ({ WA_GATEWAY_URL, GATEWAY_API_KEY }: Config, clock: Clock) => {
  const http = WA_GATEWAY_URL === undefined ? undefined : httpClient('wa-gateway', WA_GATEWAY_URL);
  const gateway = http && httpWaGateway(http, GATEWAY_API_KEY);
  return { gateway, states: new DeviceStates(gateway, clock), components: http ? [http] : [] };
};

/** The other services, each behind one breaker. */
export const composeSiblings = (config: Config, tokens: ServiceTokens, { database, clock }: Around) => {
  const { STORE_AUTH_URL, CHAT_URL, BOT_URL, OWNER_TIMEOUT_MS: timeoutMs, MODEL_TIMEOUT_MS: modelTimeoutMs } = config;
  const { gateway, states, components } = gatewayOf(config, clock);
  const storeAuth = httpClient('store-auth', STORE_AUTH_URL);
  const ask = askStoreAuth(storeAuth, tokens);
  const chat = CHAT_URL === undefined ? undefined : httpClient('chat-backend', CHAT_URL);
  const turns = modelTurns();
  const bot = BOT_URL === undefined ? undefined : httpClient('bot-engine', BOT_URL, { connections: BOT_CONNECTIONS });
  return {
    identity: httpIdentityClient(ask),
    accounts: httpAccountsClient(ask),
    secondFactor: httpSecondFactorClient(ask),
    codes: httpCodesClient(ask),
    logins: httpLoginsClient(ask),
    memberships: httpMembershipsClient(ask),
    chat: chat && httpChatSyncClient(chat, tokens),
    messages: chat && httpChatMessages(chat, tokens, connectedLine(database, states), isLoggedOut(states)),
    loads: chat && httpChatLoads(chat, tokens),
    broadcasts: httpChatBroadcasts<BroadcastMeta>(chat, tokens, timeoutMs),
    stats: chat && httpChatStats(chat, tokens, timeoutMs),
    chatSockets: chatLive(CHAT_URL),
    chatDesk: httpChatDesk(chat, tokens, timeoutMs),
    // For pages that show more than chats: they wait for them no longer
    glance: chat && httpChatDesk(chat, tokens, Math.min(timeoutMs, 2_000)),
    handled: chat && httpHandledChats(chat, tokens),
    bot: bot && httpBotNotices(bot, tokens),
    botDesk: httpBotDesk(bot, tokens, { timeoutMs, modelTimeoutMs, turns }),
    welcomes: bot && httpBotWelcomes(bot, tokens, { modelTimeoutMs, turns }),
    gateway,
    states,
    components: [storeAuth, ...(chat ? [chat] : []), ...(bot ? [bot] : []), ...components] satisfies Component[],
  };
};

export type Siblings = Omit<ReturnType<typeof composeSiblings>, 'components'>;
