import type { Area, AreaParts } from '../../area';
import type { ChatMessages } from '../../clients/chat.messages';
import type { Config } from '../../config';
import type { ChatCopies } from '../chat/copies/public';
import { byOf } from '../../by';
import type { ReplyParts } from '../automation/replies/public';
import { messagesAbilities } from './messages.abilities';
import { templatesPages } from './pages/public';
import { OrderMessages } from './sending/order.messages';
import { templatesEndpoints } from './templates/templates.endpoints';

interface Parts extends AreaParts {
  readonly copies: Pick<ChatCopies, 'touched'>;
  readonly messages: ChatMessages | undefined;
  readonly files: ReplyParts['files'];
}

/** What a shop tells its buyers by itself, and in which words. */
export const composeMessages = (
  { PAY_LINK_SECRET: secret, PUBLIC_URL: publicUrl }: Config,
  { database, clock, logger, queue, copies, messages, files }: Parts,
): Area => {
  const pages = { secret, publicUrl };
  const orders = new OrderMessages({ database, queue, clock, logger, pages, messages });
  return {
    endpoints: templatesEndpoints({ database, clock, copies, pages }),
    pages: [templatesPages({ database, by: byOf(clock), copies, files })],
    components: [],
    abilities: messagesAbilities,
    jobs: {
      'event.messages': { effect: 'inside', run: (event) => orders.hear(event) },
      'message.send': { effect: 'outside', run: (message) => orders.send(message) },
    },
  };
};
