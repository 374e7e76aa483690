import type { FakeGateway } from '../../clients/gateway.fake';
import type { GatewayNeeds } from '../gateways/gateways.composition';

const noNotices = { verify: () => false, parse: () => ({ dedupeKey: '' }) };

/** The providers of a service that has B alone, in memory. */
export const bankOf = (bank: FakeGateway): GatewayNeeds => {
  const till = { client: bank, notices: noNotices };
  const b = { platform: { ...till, name: 'b' }, fee: { percentBp: 0, fixed: 0 }, trusted: true, open: () => till };
  return { slots: { a: undefined, b, c: undefined }, sign: undefined };
};
