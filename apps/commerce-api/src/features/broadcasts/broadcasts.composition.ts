import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import { BroadcastSending } from './broadcast.sending';
import { broadcastAbilities } from './broadcasts.abilities';
import { broadcastsEndpoints } from './broadcasts.endpoints';
import { BroadcastsService, type BroadcastsParts } from './broadcasts.service';

interface BroadcastsNeeds extends AreaParts, Pick<BroadcastsParts, 'chat' | 'files'> {}

/** Broadcasts: a face over chat-backend, which owns and sends them; who gets them is decided here. */
export const composeBroadcasts = ({ database, clock, logger, queue, chat, files }: BroadcastsNeeds): Area => {
  const broadcasts = new BroadcastsService({ database, queue, chat, files });
  const sending = new BroadcastSending({ database, chat, logger });
  return {
    endpoints: broadcastsEndpoints({ sql: database, broadcasts, by: byOf(clock), clock }),
    components: [],
    abilities: broadcastAbilities,
    jobs: { 'broadcast.send': { effect: 'outside', run: (job, context) => sending.run(job, context) } },
  };
};
