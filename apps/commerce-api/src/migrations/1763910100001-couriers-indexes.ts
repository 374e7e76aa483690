import { ForwardMigration } from '@platform/data';

/** Parcels that couriers are asked about, what they said once, and orders that wait for their end. */
export class CouriersIndexes1763910100001 extends ForwardMigration {
  // Builds from before know no lines of couriers, and so can write none twice
  override readonly contract = { suits: 'AlertsOfRefunds1763890100000' };
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS shipment_track ON shipment (store_id, (coalesce(next_track_at, '-infinity')))
      WHERE status = 'in_transit' AND direction = 'out' AND waybill IS NOT NULL`,
    `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS shipment_event_line ON shipment_event (store_id, shipment_id, line) WHERE line IS NOT NULL`,
  ];
}
