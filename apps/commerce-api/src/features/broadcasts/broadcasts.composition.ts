import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import { BroadcastSending } from './broadcast.sending';
import { broadcastAbilities } from './broadcasts.abilities';
import { broadcastsEndpoints } from './broadcasts.endpoints';
import { broadcastsPages, type BroadcastPageParts } from './broadcasts.pages';
import { BroadcastsService, type BroadcastsParts } from './broadcasts.service';

interface BroadcastsNeeds extends AreaParts, Pick<BroadcastsParts, 'chat'> {
  readonly files: BroadcastsParts['files'] & BroadcastPageParts['files'];
}

/** Broadcasts: a face over chat-backend, which owns and sends them; who gets them is decided here. */
export const composeBroadcasts = ({ database, clock, logger, queue, chat, files }: BroadcastsNeeds): Area => {
  const broadcasts = new BroadcastsService({ database, queue, chat, files });
  const sending = new BroadcastSending({ database, chat, logger });
  const by = byOf(clock);
  return {
    endpoints: broadcastsEndpoints({ sql: database, broadcasts, by, clock }),
    pages: [broadcastsPages({ database, broadcasts, by, clock, files })],
    components: [],
    abilities: broadcastAbilities,
    jobs: { 'broadcast.send': { effect: 'outside', run: (job, context) => sending.run(job, context) } },
  };
};
