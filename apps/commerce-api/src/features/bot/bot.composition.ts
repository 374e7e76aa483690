import { Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import type { Config } from '../../config';
import type { Siblings } from '../../siblings.composition';
import { botAbilities } from './bot.abilities';
import { BotDoor, type BotDoorParts } from './door/bot.door';
import { signedCalls } from './door/call.guard';
import { doorEndpoints } from './door/door.endpoints';
import { PaidMessages } from './notice/paid.message';
import { PaymentNotices } from './notice/payment.notices';

interface Parts extends AreaParts, Pick<BotDoorParts, 'buyers' | 'tills' | 'rates' | 'areas'> {
  readonly siblings: Siblings;
}

const HOUR_MS = 3_600_000;
/** Longer than a signature could be used again. */
const SIGNATURES = { table: 'internal_call', column: 'seen_at', keepMs: HOUR_MS };

/** The door at which the bot orders for buyers, and what they are told when they have paid. */
export const composeBot = (
  { ENGINE_BOT_SECRET, PAY_LINK_SECRET: secret, PUBLIC_URL: publicUrl }: Config,
  { database, clock, logger, queue, siblings, buyers, tills, rates, areas }: Parts,
): Area => {
  const pages = { secret, publicUrl };
  const door = new BotDoor({ database, clock, buyers, tills, rates, areas, pages });
  const notices = new PaymentNotices({ database, queue, clock, logger, bot: siblings.bot });
  const messages = new PaidMessages({ database, queue, clock, logger, pages, messages: siblings.messages });
  const secrets: Record<string, string> = ENGINE_BOT_SECRET === undefined ? {} : { 'bot-engine': ENGINE_BOT_SECRET };
  return {
    endpoints: doorEndpoints(door, database),
    components: [new Housekeeping(database, { clock, logger, expired: [SIGNATURES] })],
    abilities: botAbilities,
    guards: { engine: signedCalls({ database, clock, secrets }) },
    jobs: {
      'bot.payment-notice': { effect: 'outside', run: (paid) => notices.tell(paid) },
      'order.paid.message': { effect: 'outside', run: (paid) => messages.send(paid) },
    },
  };
};
