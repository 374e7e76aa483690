/** Tables of the outbox, in the schema that `search_path` names first. */
export const tables = `
-- A lane is an order: its rows leave one after the other. The row of the lane is its lock and its schedule:
-- next_at in the past = due as soon as its target is, in the future = leased or backing off, infinity = nothing to send.
CREATE TABLE outbox_lane (
  lane      text COLLATE "C" PRIMARY KEY,
  target    text NOT NULL,
  next_at   timestamptz NOT NULL,
  fence     bigint,                          -- number of the present lease; a holder with another number has lost the lane
  leased_by text,
  failures  integer NOT NULL DEFAULT 0,      -- of the head, in a row
  held      boolean NOT NULL DEFAULT false,  -- its pause is for its target's sake, not for its head's
  used_at   timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX outbox_lane_due ON outbox_lane (target, next_at) WHERE next_at < 'infinity';
CREATE INDEX outbox_lane_held ON outbox_lane (target) WHERE held;
CREATE SEQUENCE outbox_fence;

-- Only targets in trouble have a row: failures in a row of the transport, and until when nothing is sent to them.
CREATE TABLE outbox_target (
  target     text COLLATE "C" PRIMARY KEY,
  failures   integer NOT NULL DEFAULT 0,
  held_until timestamptz
);

CREATE TABLE outbox_row (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id     uuid NOT NULL UNIQUE,
  lane         text COLLATE "C" NOT NULL,
  target       text NOT NULL,
  kind         text NOT NULL,
  dedupe_key   text COLLATE "C" UNIQUE,
  payload      jsonb NOT NULL,
  state        text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'blocked', 'done', 'dead')),
  outcome      text,
  attempts     integer NOT NULL DEFAULT 0,
  first_try_at timestamptz,
  last_error   text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  finished_at  timestamptz
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX outbox_row_head ON outbox_row (lane, id) WHERE state IN ('queued', 'blocked');
CREATE INDEX outbox_row_done ON outbox_row (finished_at) WHERE state = 'done';
CREATE INDEX outbox_row_dead ON outbox_row (id) WHERE state = 'dead';
CREATE INDEX outbox_row_dead_lane ON outbox_row (lane, id) WHERE state = 'dead';

-- What claim, finish and their caller hand to each other: a leased lane and its head; id is null when there is nothing to send.
CREATE TYPE outbox_head AS (
  lane text, target text, fence bigint, failures integer,
  id bigint, event_id uuid, kind text, payload jsonb, attempts integer, first_try_at timestamptz, created_at timestamptz
);
`;
