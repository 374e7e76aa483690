import { UpstreamFailed } from '@platform/errors';
import { cut } from '@platform/runtime';
import type { CourierPrice, FoundArea, ListedArea, Tracked, TrackedLine } from '../features/shipping/port';
import type { ProviderCall, ProviderLine } from './provider.call';
import { amountOf, isRow, rowAt, type Row } from './provider.values';

const LONGEST = 300;
const MOST_ROWS = 2_000;
/** Of one parcel; one that is told of more often is told of wrongly. */
const MOST_LINES = 200;
/** Nothing is sent for more; what is dearer is a mistake. */
const DEAREST = 1_000_000_000;
/** They write times of Jakarta, without saying so. */
const OFFSET = '+07:00';
const OFFSET_MS = 7 * 3_600_000;

/** Without what no text of ours may hold: U+0000 and its like, and halves of surrogate pairs. */
const cleaned = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();

/** A text or a number as a clean text of some length; undefined for anything else and for nothing. */
export const wordAt = (row: Row, name: string, longest = LONGEST): string | undefined => {
  const value = row[name];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  const text = typeof value === 'string' ? cut(cleaned(value), longest) : '';
  return text === '' ? undefined : text;
};

/** The rows of a list, without what is no row. */
export const rowsOf = (value: unknown): readonly Row[] | undefined =>
  Array.isArray(value) ? value.slice(0, MOST_ROWS).filter(isRow) : undefined;

const ID = /^[\w.-]{1,64}$/;

/** An id as it may stand in a path, and in our own answers; a row without one is left out. */
export const idAt = (row: Row, name: string): string | undefined => {
  const id = wordAt(row, name, 65);
  return id !== undefined && ID.test(id) ? id : undefined;
};

/** Postcodes that are none (`0`, empty) are null. */
const postcodeAt = (row: Row, name: string): string | null => {
  const code = wordAt(row, name, 10);
  return code !== undefined && /^\d{5}$/.test(code) ? code : null;
};

/** What the members of a row are called in a dialect. */
export interface ListedNames {
  readonly id: string;
  readonly name: string;
  readonly postcode: string;
}

export const listedOf = (row: Row, names: ListedNames): ListedArea[] => {
  const [id, name] = [idAt(row, names.id), wordAt(row, names.name, 100)];
  return id === undefined || name === undefined ? [] : [{ id, name, postcode: postcodeAt(row, names.postcode) }];
};

export type FoundNames = Readonly<Record<'id' | 'district' | 'city' | 'province' | 'postcode', string>>;

/** With a label of our own: smallest first. */
export const foundOf = (row: Row, names: FoundNames, part?: string): FoundArea[] => {
  const [id, district, city, province] = [
    idAt(row, names.id),
    ...[names.district, names.city, names.province].map((name) => wordAt(row, name, 100)),
  ];
  if (id === undefined || district === undefined || city === undefined || province === undefined) return [];
  const postcode = postcodeAt(row, names.postcode);
  const subdistrict = part === undefined ? undefined : wordAt(row, part, 100);
  const label = [subdistrict, district, city, province, postcode].filter(Boolean).join(', ');
  return [{ id, label, district, city, province, postcode }];
};

/** `2-3 day`, `2-3 HARI` and `2-3` are `2-3`; anything else is not told. */
const etdOf = (text: string | undefined): string | null => {
  const [, from, to] = /^(\d{1,2})(?:\s*-\s*(\d{1,2}))?(?:\s*(?:days?|hari))?$/i.exec(text ?? '') ?? [];
  if (from === undefined) return null;
  return to === undefined || to === from ? from : `${from}-${to}`;
};

interface PriceNames {
  readonly courier: string | undefined;
  readonly cost: unknown;
  readonly etd: string | undefined;
}

/** A price that is no whole amount above 0, or beyond all parcels, is none. */
export const priceOf = (row: Row, { courier, cost, etd }: PriceNames): CourierPrice[] => {
  const [amount, service] = [amountOf(cost, 'IDR'), wordAt(row, 'service', 60)];
  if (courier === undefined || service === undefined || amount === undefined || amount < 1 || amount > DEAREST)
    return [];
  return [{ courier, service, description: wordAt(row, 'description') ?? service, cost: amount, etd: etdOf(etd) }];
};

/** `2026-03-01` and `08:00` or `08:00:10`; another century is none, and what PostgreSQL would not take neither. */
const momentOf = (date: string | undefined, time: string | undefined): string | null => {
  const [, minutes = '00:00', seconds = ':00'] = /^(\d\d:\d\d)(:\d\d)?$/.exec(time ?? '') ?? [];
  const at = new Date(/^20\d\d-\d\d-\d\d$/.test(date ?? '') ? `${date}T${minutes}${seconds}${OFFSET}` : Number.NaN);
  // The 30th of February would be one of March
  const isThatDay =
    !Number.isNaN(at.getTime()) && new Date(at.getTime() + OFFSET_MS).toISOString().startsWith(date ?? '');
  return isThatDay ? at.toISOString() : null;
};

const lineOf = (row: Row): TrackedLine[] => {
  const at = momentOf(wordAt(row, 'manifest_date', 10), wordAt(row, 'manifest_time', 8));
  if (at === null) return [];
  const text = wordAt(row, 'manifest_description') ?? '';
  return [{ at, code: wordAt(row, 'manifest_code', 40) ?? '', text, place: wordAt(row, 'city_name', 100) ?? null }];
};

/** `RETURNED`, `RETURNED TO SHIPPER`, `RETUR`; what is only on its way back is not back. */
const RETURNED = /^retur(?:ned)?\b/i;
/** `RETURN TO SHIPPER`: on its way back, or with its sender where it is called delivered too. */
const GOES_BACK = /^retur/i;
const PLAIN = /^(?:delivered|terkirim|diterima)$/i;

/** What both dialects say of a parcel, once in `data` and once in `result`; undefined when it is none of that. */
export const trackedOf = (row: Row): Tracked | undefined => {
  const [pod, manifest] = [rowAt(row, 'delivery_status'), rowsOf(row.manifest ?? [])];
  const words = [rowAt(row, 'summary'), pod].flatMap((each) => wordAt(each, 'status', 60) ?? []);
  const [status] = words;
  if (typeof row.delivered !== 'boolean' || status === undefined || manifest === undefined) return undefined;
  const events = manifest
    .slice(-MOST_LINES)
    .flatMap(lineOf)
    .toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  // Who gets a parcel back has received it too: the sender
  const goesBack = row.delivered ? GOES_BACK : RETURNED;
  const returned = words.some((word) => goesBack.test(word));
  const delivered = row.delivered && !returned;
  return {
    ...{ status, delivered, returned, plain: delivered && words.every((word) => PLAIN.test(word)), events },
    receivedBy: delivered ? (wordAt(pod, 'pod_receiver', 100) ?? null) : null,
    receivedAt: delivered ? momentOf(wordAt(pod, 'pod_date', 10), wordAt(pod, 'pod_time', 8)) : null,
  };
};

/** The rows, or a failure: an answer that is none is worse than no answer. */
export const demandRows = (
  line: Pick<ProviderLine, 'nonsense'>,
  call: Pick<ProviderCall, 'method' | 'template'>,
  rows: unknown,
) => {
  const list = rowsOf(rows);
  if (list) return list;
  throw line.nonsense(call);
};

/** Whoever has no provider cannot ask one. */
export const notSetUp = (): UpstreamFailed =>
  new UpstreamFailed('No provider of courier prices is set up', { outcome: 'undone' });
