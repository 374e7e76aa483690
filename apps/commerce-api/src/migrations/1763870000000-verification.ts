import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;

/** Who stands behind a store (commerce-api design section 4). */
export class Verification1763870000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE kyc_submission (
      ${OF_STORE},
      id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('person', 'business')),
      status text NOT NULL CHECK (status IN ('draft', 'submitted', 'approved', 'rejected')),
      data_enc text NOT NULL,
      approved_name text CHECK ((approved_name IS NOT NULL) = (status = 'approved')),
      reason text,
      decided_at timestamptz CHECK ((decided_at IS NOT NULL) = (status IN ('approved', 'rejected'))),
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, kind)
    )`,
    `COMMENT ON COLUMN kyc_submission.data_enc IS 'sealed: numbers of identity cards and tax registrations'`,
    `COMMENT ON COLUMN kyc_submission.approved_name IS 'with which the holders of payout accounts are compared'`,
    `CREATE INDEX kyc_submission_decided ON kyc_submission (decided_at) WHERE decided_at IS NOT NULL`,
    `CREATE TABLE kyc_document (
      ${OF_STORE},
      submission_id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('id_card', 'selfie', 'tax_card', 'deed', 'bank_book')),
      media_id uuid NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, submission_id, kind),
      FOREIGN KEY (store_id, submission_id) REFERENCES kyc_submission ON DELETE CASCADE
    )`,
    `COMMENT ON TABLE kyc_document IS 'its file is a private one of the media; both go some time after the decision'`,
  ];
}
