import { InvalidInput } from '@platform/errors';
import type { MediaIntake } from '../media/public';
import { composeAs, type Content, type TemplateRepository } from '../outbound/public';
import { refusals } from '../tenancy/public';
import type { AudienceFilter, BroadcastContent } from './broadcast.dto';
import type { CampaignBody, Pace } from './campaign.types';

export interface ContentDependencies {
  readonly templates: Pick<TemplateRepository, 'find'>;
  readonly intake: MediaIntake;
  /** BROADCAST_MAX_PER_MINUTE */
  readonly maxPerMinute: number;
}

const USUAL = { perMinute: 20, jedaMin: 2, jedaMax: 5 };
const MINUTE_S = 60;
/** The kinds whose words stand below a file. */
const CAPTIONED: readonly string[] = ['image', 'video', 'document'];
/** The rules of a kind's own route ask for a number. */
const SOMEBODY = { nohp: '-' };

/** The pause that keeps the wished pace, in hundredths of a second, never shorter. */
const secondsBetween = (perMinute: number): number => Math.ceil((MINUTE_S / perMinute) * 100) / 100;

/** Seconds that the gateway draws a pause from: `jeda` widened so that no more than `limit_per_minute` go out. */
const paceOf = (request: BroadcastContent, maxPerMinute: number): Pace => {
  const {
    limit_per_minute: perMinute = Math.min(USUAL.perMinute, maxPerMinute),
    jeda_min: least = USUAL.jedaMin,
    jeda_max: most = USUAL.jedaMax,
  } = request;
  const delay_min = Math.max(least, secondsBetween(perMinute));
  return { delay_min, delay_max: Math.max(most, delay_min) };
};

const wordsAs = (type: string, words: string | undefined, caption: string | undefined): string | undefined =>
  caption ?? (CAPTIONED.includes(type) ? words : undefined);

/** What a campaign says, by the rules of the kind's own route; from a template when one is named. */
const contentOf = async (
  { templates }: ContentDependencies,
  storeId: string,
  request: BroadcastContent,
): Promise<Content> => {
  const { template_id: templateId, type = 'chat', pesan, caption, ...fields } = request;
  if (templateId === undefined)
    return composeAs(type, { ...fields, ...SOMEBODY, pesan, caption: wordsAs(type, pesan, caption) });
  const template = await templates.find(storeId, templateId);
  if (!template) throw refusals.templateNotFound();
  const { media, text } = template;
  const file = request.file === undefined ? { url: request.url ?? media?.url } : {};
  const filename = request.filename ?? media?.filename;
  return composeAs(template.type, { ...fields, ...SOMEBODY, ...file, filename, pesan: text, caption: text });
};

/** Everything that sending will need, with its file kept here. Throws `InvalidInput` and what templates are refused with. */
export const campaignBody = async (
  needs: ContentDependencies,
  storeId: string,
  request: BroadcastContent & { readonly filter?: AudienceFilter },
): Promise<CampaignBody> => {
  const { maxPerMinute: most } = needs;
  if ((request.limit_per_minute ?? 0) > most)
    throw new InvalidInput([
      { field: 'limit_per_minute', tag: 'max', message: `limit_per_minute must be ${most} or less` },
    ]);
  const { type, text = null, caption = null, detail = null, file } = await contentOf(needs, storeId, request);
  const media = file ? await needs.intake.take(file) : null;
  const { jam_tenang = null, filter = null } = request;
  return { content: { type, text, caption, detail, media }, bulk: paceOf(request, most), jam_tenang, filter };
};
