import type { SecretBox } from '@platform/auth';
import { isUniqueViolation, type Database, type Sql, type Transaction } from '@platform/data';
import { Conflict, InvalidInput, UpstreamFailed, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import type { PixelKind, PixelNetwork } from '../../../clients/pixel.port';
import {
  pixelEvents,
  type Pixel,
  type PixelBody,
  type PixelChange,
  type TestAnswer,
  type TestBody,
} from './pixels.dto';
import { demandSeen } from '../../../web/seen';
import { opened } from '../opened.secret';
import { editableOf, MOST_PIXELS, pixelById, shownPixel } from './pixels.sql';

export const pixelRefusals = {
  taken: (): Failure => new Conflict('The shop has this pixel already', { code: 'pixel_taken' }),
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST_PIXELS} pixels`, { code: 'too_many_pixels' }),
  noToken: (): Failure => new Conflict('Give the pixel a token first', { code: 'token_missing' }),
} as const;

/** To what a sealed token is bound. */
export const tokenPurpose = (storeId: string, id: string): string => `pixel ${storeId} ${id}`;

/** As each network writes its ids: the digits of Meta, the capitals of TikTok, the measurement id of Google. */
const REFS: Readonly<Record<PixelKind, RegExp>> = {
  meta: /^\d{5,20}$/,
  tiktok: /^[A-Z0-9]{10,30}$/,
  google: /^G-[A-Z0-9]{4,20}$/,
};

/** One at a time, so that the limit holds. $1 store. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('pixels ' || $1, 0))`;
const COUNT = 'SELECT count(*)::int AS pixels FROM pixel WHERE store_id = $1';
const INSERT = `
  INSERT INTO pixel (store_id, id, kind, pixel_ref, token_enc, events, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`;
const UPDATE = `
  UPDATE pixel SET kind = $3, pixel_ref = $4, token_enc = $5, events = $6, updated_at = $7 WHERE store_id = $1 AND id = $2`;
/** What waits was hashed for the former network. */
const GIVE_UP = `
  UPDATE pixel_event SET status = 'given_up', answer = 'The pixel has changed', next_at = NULL, done_at = $3
  WHERE store_id = $1 AND pixel_id = $2 AND status = 'waiting'`;
const DELETE = 'DELETE FROM pixel WHERE store_id = $1 AND id = $2';
const KEEP_TEST = `
  INSERT INTO pixel_event (store_id, id, pixel_id, event_id, name, fact, status, attempts, answer, created_at, done_at)
  SELECT p.store_id, $2, p.id, $4, 'TestEvent', '{}', $5, 1, $6, $7, $7 FROM pixel p WHERE p.store_id = $1 AND p.id = $3`;

interface Parts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly box: SecretBox;
  readonly networks: Readonly<Partial<Record<PixelKind, PixelNetwork>>>;
}

/** The advertising pixels of stores. Their tokens are kept sealed and shown to nobody. */
export class PixelsService {
  constructor(private readonly parts: Parts) {}

  async create(by: Writer, body: PixelBody): Promise<Pixel> {
    return this.write(by, { id: uuidv7() }, body, INSERT);
  }

  /**
   * No network is given the token of another: without one of its own the pixel has none. Throws `version_conflict` when it is not any more what was
   * `seen` of it.
   */
  async change(by: Writer, id: string, body: PixelChange, seen?: string): Promise<Pixel> {
    return this.write(by, { id, seen }, body, UPDATE);
  }

  /** What waits for its network is told nobody. */
  async remove(by: Writer, id: string): Promise<void> {
    await this.parts.database.tx(async (tx) => {
      const before = editableOf(await pixelById(tx, by.storeId, id, 'FOR UPDATE'));
      await tx.query(DELETE, [by.storeId, id]);
      await audited(tx, by, { action: 'pixel.write', type: 'pixel', id, before });
    });
  }

  /** Sends an event that counts for nothing, now. Throws `Conflict` without a token, `UpstreamFailed` when nobody answers. */
  async test(by: Writer, id: string, { test_event_code: testCode }: TestBody): Promise<TestAnswer> {
    const { database, box, networks } = this.parts;
    const { kind, pixel_ref: ref, token_enc: sealed } = await pixelById(database, by.storeId, id);
    const token = sealed === null ? undefined : opened(box, sealed, tokenPurpose(by.storeId, id));
    if (token === undefined) throw pixelRefusals.noToken();
    const eventId = uuidv7();
    const fact = { name: 'TestEvent', eventId, at: by.at.toISOString() } as const;
    const told = await networks[kind]?.send({ ref, token, testCode }, fact);
    if (!told || told.fate === 'later') throw new UpstreamFailed(told?.answer ?? `${kind} is not connected`);
    const status = told.fate === 'taken' ? 'sent' : 'refused';
    await database.query(KEEP_TEST, [by.storeId, uuidv7(), id, eventId, status, told.answer, by.at]);
    return { taken: told.fate === 'taken', answer: told.answer };
  }

  private async write(
    by: Writer,
    { id, seen }: { readonly id: string; readonly seen?: string },
    body: PixelChange,
    statement: typeof INSERT | typeof UPDATE,
  ): Promise<Pixel> {
    demandKnown(body);
    const { kind, pixel_ref, token } = body;
    const events = [...new Set(body.events)];
    const { database, box } = this.parts;
    return database
      .tx(async (tx) => {
        if (statement === INSERT) await refuseTooMany(tx, by.storeId);
        const before = statement === UPDATE ? await pixelById(tx, by.storeId, id, 'FOR UPDATE') : undefined;
        if (before) demandSeen(seen, editableOf(before));
        const former = before?.kind === kind ? before.token_enc : null;
        const sealed = token && box.seal(token, tokenPurpose(by.storeId, id));
        const kept = sealed === undefined ? former : sealed;
        await tx.query(statement, [by.storeId, id, kind, pixel_ref, kept, events, by.at]);
        if (before && before.kind !== kind) await tx.query(GIVE_UP, [by.storeId, id, by.at]);
        const row = await pixelById(tx, by.storeId, id);
        const told = { ...(before && { before: editableOf(before) }), after: editableOf(row) };
        await audited(tx, by, { action: 'pixel.write', type: 'pixel', id, ...told });
        return shownPixel(row);
      })
      .catch((failure: unknown) => {
        throw isUniqueViolation(failure) ? pixelRefusals.taken() : failure;
      });
  }
}

const refuseTooMany = async (tx: Transaction, storeId: string): Promise<void> => {
  await tx.query(LOCK, [storeId]);
  const [row] = await tx.query<{ pixels: number }>(COUNT, [storeId]);
  if ((row?.pixels ?? 0) >= MOST_PIXELS) throw pixelRefusals.tooMany();
};

const demandKnown = ({ kind, pixel_ref, events }: PixelChange): void => {
  const wrong = events.findIndex((event) => !(pixelEvents as readonly string[]).includes(event));
  const refuse = (field: string, text: string, tag = 'oneof') =>
    new InvalidInput([{ field, tag, message: `${field} ${text}` }]);
  if (wrong >= 0) throw refuse(`events[${wrong}]`, `must be one of ${pixelEvents.join(', ')}`);
  if (!REFS[kind].test(pixel_ref)) throw refuse('pixel_ref', `must be an id as ${kind} writes it`, 'pixel_ref');
};
