import type { Database } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import { isUuid, type Clock } from '@platform/runtime';
import { parse } from '@platform/validation';
import { unlessAway } from '../../web/away';
import type { Typed } from '../../web/sessions/drafts';
import type { Viewer } from '../../web/viewer';
import { QuickRepliesQuery, quickReply, replyListing } from '../automation/replies/public';
import { tagListing, TagsQuery } from '../contacts/tags/public';
import { deviceListing, DevicesQuery } from '../devices/public';
import { AudienceAsked, type AudiencePreview } from './audience.dto';
import { preview } from './audience.sql';
import type { NewBroadcastData } from './broadcast.form';
import type { ReportData } from './broadcast.report';
import { broadcastTyped, givenBy } from './broadcast.typed';
import type { Broadcast, BroadcastMessage, RecipientsQuery } from './broadcasts.dto';
import type { BroadcastsService } from './broadcasts.service';

export interface DeskParts {
  readonly database: Database;
  readonly broadcasts: BroadcastsService;
  readonly clock: Clock;
}

/** To choose from. */
const MOST = { per_page: 100 };

const choicesOf = async (database: Database, storeId: string) => {
  const [devices, tags, replies] = await Promise.all([
    deviceListing.page(database, storeId, Object.assign(new DevicesQuery(), MOST)),
    tagListing.page(database, storeId, Object.assign(new TagsQuery(), MOST)),
    replyListing.page(database, storeId, Object.assign(new QuickRepliesQuery(), MOST)),
  ]);
  return { devices: devices.rows, tags: tags.rows, replies: replies.rows };
};

/** Who would get what was typed; `nobody`: it says for whom by nothing that is there. */
const previewFor = async (
  { database, clock }: DeskParts,
  storeId: string,
  typed: Typed,
): Promise<AudiencePreview | 'nobody'> => {
  const named = Object.entries(broadcastTyped(typed)).filter(([name]) => name.startsWith('audience['));
  const { value } = parse(AudienceAsked, Object.fromEntries(named), { from: 'form' });
  if (!value) return 'nobody';
  return preview(database, storeId, clock.now(), value.audience).catch((failure: unknown) => {
    if (failure instanceof InvalidInput || failure instanceof NotFound) return 'nobody';
    throw failure;
  });
};

const textOf = async (database: Database, storeId: string, message: Partial<BroadcastMessage>): Promise<string> => {
  const { text, template_id: template } = message;
  // What was typed may be no id at all
  if (!template || !isUuid(template)) return text ?? '';
  return (await quickReply(database, storeId, template))?.body ?? '';
};

const PLACEHOLDER = /\{\{\s*(name|nama|phone)\s*\}\}/g;

/** As the first of them would get it. */
const filled = (text: string, found: AudiencePreview | 'nobody' | undefined): string => {
  const first = found === undefined || found === 'nobody' ? undefined : found.sample[0];
  if (!first) return text;
  return text.replaceAll(PLACEHOLDER, (_, name: string) => (name === 'phone' ? first.phone : (first.name ?? '')));
};

const stringIn = (typed: Typed | undefined, name: string): string | undefined => {
  const value = typed?.[name];
  return typeof value === 'string' ? value : undefined;
};

/** What the form of a new one shows: with what was typed, or as a copy of `from`. */
export const newBroadcastData = async (
  parts: DeskParts,
  { caller, session }: Viewer,
  { typed, from }: { readonly typed: Typed | undefined; readonly from: string | undefined },
): Promise<NewBroadcastData> => {
  const { database, broadcasts } = parts;
  const { storeId } = caller;
  const original = from === undefined ? undefined : await unlessAway(broadcasts.get(caller, from));
  const found = typed?.look === undefined ? undefined : await previewFor(parts, storeId, typed);
  const said = { text: stringIn(typed, 'message[text]'), template_id: stringIn(typed, 'message[template_id]') };
  const text = await textOf(database, storeId, typed === undefined ? (original?.message ?? {}) : said);
  return {
    ...(await choicesOf(database, storeId)),
    given: original === undefined ? {} : givenBy(original, session.timezone),
    preview: found,
    said: filled(text, found),
  };
};

/** Who would get a draft now. Nobody whose customers its reader does not see is counted for them. */
const reachOf = async (
  { database, clock }: DeskParts,
  { caller }: Viewer,
  { status, audience, starting }: Broadcast,
) => {
  const isAsked = status === 'draft' && !starting && audience !== null && caller.sight === undefined;
  if (!isAsked) return undefined;
  const found = await preview(database, caller.storeId, clock.now(), audience).catch((failure: unknown) => {
    // A tag that it names is gone: what it says of that is said when it is sent
    if (failure instanceof NotFound || failure instanceof InvalidInput) return undefined;
    throw failure;
  });
  return found?.count;
};

const devicesOf = async (database: Database, storeId: string, id: string | null) => {
  const query = Object.assign(new DevicesQuery(), MOST);
  const { rows } = await deviceListing.page(database, storeId, query);
  return rows.find((device) => device.id === id)?.name ?? '–';
};

/** How one broadcast is, with whom it went to for whoever sees everybody's customers. */
export const reportData = async (
  parts: DeskParts,
  viewer: Viewer,
  id: string,
  query: RecipientsQuery,
): Promise<ReportData> => {
  const { database, broadcasts } = parts;
  const { caller } = viewer;
  const { storeId } = caller;
  const broadcast = await unlessAway(broadcasts.get(caller, id));
  if (!broadcast) return { broadcast, reach: undefined, recipients: undefined, device: '', tags: new Map(), said: '' };
  const [reach, recipients, device, tags, said] = await Promise.all([
    reachOf(parts, viewer, broadcast),
    caller.sight === undefined ? unlessAway(broadcasts.recipients(caller, id, query)) : undefined,
    devicesOf(database, storeId, broadcast.device_id),
    tagListing.page(database, storeId, Object.assign(new TagsQuery(), MOST)),
    textOf(database, storeId, broadcast.message ?? {}),
  ]);
  return { broadcast, reach, recipients, device, tags: new Map(tags.rows.map((tag) => [tag.id, tag.name])), said };
};
