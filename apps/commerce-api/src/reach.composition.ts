import type { Area } from './area';
import type { Beside } from './beside.types';
import type { Config } from './config';
import { composeAgents } from './features/agents/agents.composition';
import type { AnsweredDevices } from './features/agents/agents/public';
import { composeBroadcasts } from './features/broadcasts/broadcasts.composition';
import { linkOpened } from './features/marketing/trackers/public';
import { composeMarketing } from './features/marketing/marketing.composition';
import { forgetAgent } from './features/automation/welcomes/public';
import { releaseAgent } from './features/devices/public';
import { composeInbox } from './features/inbox/inbox.composition';
import { composeMessages } from './features/messages/messages.composition';
import { openSubscriptions } from './features/notifications/pushes/public';
import { composeNotifications } from './features/notifications/notifications.composition';
import { composeOutside } from './features/outside/outside.composition';
import { browserPurchased } from './features/outside/pixels/public';
import { composeReports } from './features/reports/reports.composition';
import { composeRooms } from './features/rooms/rooms.composition';
import { composeChatSide } from './chat-side.composition';
import { composeTickets } from './features/tickets/tickets.composition';
import type { Everything } from './money.composition';

/** What bot-engine and chat-backend own, and shops see here. */
const composeFaces = (config: Config, parts: Everything, { media, copies }: Beside): Area[] => {
  const { botDesk: bot, broadcasts: chat, chatDesk, chatSockets, gateway, messages } = parts.siblings;
  const files = media.library;
  const release: AnsweredDevices['release'] = async (tx, by, id) => {
    await forgetAgent(tx, by, id);
    // Last: it locks what tells chat-backend
    await releaseAgent(tx, copies, by, id);
  };
  return [
    composeAgents({ ...parts, bot, devices: { release } }),
    composeBroadcasts({ ...parts, chat, files }),
    composeTickets(config, { ...parts, chat: chatDesk, messages, files, linkOpened }),
    composeInbox({
      ...parts,
      ...{ chat: chatDesk, sockets: chatSockets, gateway, files, chatFiles: config.CHAT_PUBLIC_URL },
      browsers: openSubscriptions(config, { clock: parts.clock, logins: parts.siblings.logins, sql: parts.database }),
    }),
  ];
};

/** What buyers and members are told, and what members tell each other. */
const composeTold = (config: Config, parts: Everything, { media, copies }: Beside): Area[] => {
  const { messages } = parts.siblings;
  return [
    composeMessages(config, { ...parts, copies, messages, files: media.library }),
    composeNotifications(config, { ...parts, messages, logins: parts.siblings.logins }),
    composeRooms({ ...parts, media: media.library }),
  ];
};

/** By which a shop reaches its customers: chats, parcels, advertising, addresses, and what it sees of what works. */
export const composeReach = (
  config: Config,
  parts: Everything,
  beside: Beside,
): { readonly areas: readonly Area[] } => ({
  areas: [
    ...composeChatSide(parts, beside),
    ...composeFaces(config, parts, beside),
    ...composeTold(config, parts, beside),
    composeMarketing(config, { ...parts, media: beside.media }, browserPurchased),
    composeOutside(config, parts),
    composeReports({ ...parts, media: beside.media }),
  ],
});
