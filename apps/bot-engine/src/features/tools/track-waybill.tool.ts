import { Text } from '@platform/validation';
import type { CommerceClient } from '../../clients/commerce.client';
import type { Tool } from './tool.types';

const MOST_EVENTS = 5;

export class TrackWaybillArguments {
  @Text({ min: 5, max: 40 }) waybill!: string;
  @Text({ max: 40, optional: true }) courier?: string;
}

/** Where a parcel is. */
export const trackWaybill = (commerce: Pick<CommerceClient, 'waybill'>): Tool<TrackWaybillArguments> => ({
  name: 'track_waybill',
  description: 'Where a parcel is, by its waybill (resi).',
  args: TrackWaybillArguments,
  kind: 'read',
  timeoutMs: 5_000,
  run: async ({ waybill, courier }, { store, signal }) => {
    const { history, ...tracking } = await commerce.waybill(store.id, waybill.trim(), courier, signal);
    return { result: { ...tracking, events: history.slice(-MOST_EVENTS) } };
  },
});
