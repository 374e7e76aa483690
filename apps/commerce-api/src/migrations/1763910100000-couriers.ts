import { ForwardMigration } from '@platform/data';

/** What the provider of courier prices told of places, which couriers a store offers, and what couriers said of parcels. */
export class Couriers1763910100000 extends ForwardMigration {
  readonly steps = [
    // Everybody's: a place is the same for all stores
    `CREATE TABLE area_list (
      provider text NOT NULL,
      list text NOT NULL,
      areas jsonb NOT NULL,
      told_at timestamptz NOT NULL,
      PRIMARY KEY (provider, list)
    )`,
    `COMMENT ON COLUMN area_list.list IS 'province, city:<province id>, district:<city id>'`,
    `CREATE TABLE area (
      provider text NOT NULL,
      id text NOT NULL,
      label text NOT NULL,
      district text NOT NULL,
      city text NOT NULL,
      province text NOT NULL,
      postcode text,
      told_at timestamptz NOT NULL,
      PRIMARY KEY (provider, id)
    )`,
    `COMMENT ON TABLE area IS 'what the search of places has found, by the ids that addresses have'`,
    `CREATE TABLE courier_setting (
      store_id varchar(36) PRIMARY KEY REFERENCES store ON DELETE CASCADE,
      couriers jsonb NOT NULL,
      free_shipping jsonb,
      updated_at timestamptz NOT NULL
    )`,
    `ALTER TABLE shipment ADD COLUMN next_track_at timestamptz, ADD COLUMN received_by text, ADD COLUMN received_at timestamptz`,
    `COMMENT ON COLUMN shipment.next_track_at IS 'when its courier is asked again; null: at once'`,
    `ALTER TABLE shipment_event ADD COLUMN line text`,
    `COMMENT ON COLUMN shipment_event.line IS 'hash of what the courier said, once; null: said by us'`,
  ];
}
