import { ForwardMigration } from '@platform/data';

/** A notice that is processed again is believed of no more than when it came: commerce-api design 3.5. */
export class WhatSignersSpeakFor1763890000000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE webhook_event ADD COLUMN speaks_for text[] NOT NULL DEFAULT '{}'`,
    `COMMENT ON COLUMN webhook_event.speaks_for IS 'whose payments the account that has signed it is believed of: platform, direct; payouts are the platform''s'`,
  ];
}
