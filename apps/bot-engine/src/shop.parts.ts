import type { CommerceClient } from './clients/commerce.client';
import type { AgentsRoom } from './features/agents/agents.composition';
import type { StoreDirectory } from './features/stores/public';
import type { RoomParts } from './room.parts';

/** What rooms are built on that know shops and their bots. */
export interface ShopParts extends RoomParts {
  readonly commerce: CommerceClient;
  readonly stores: StoreDirectory;
  /** `agents.agents` is what turns use. */
  readonly agents: AgentsRoom;
}
