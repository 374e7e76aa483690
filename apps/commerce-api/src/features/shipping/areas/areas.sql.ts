import type { Sql } from '@platform/data';
import type { Address } from '../../../address.dto';
import type { FoundArea, ListedArea } from '../port';

const LIST = 'SELECT areas, told_at FROM area_list WHERE provider = $1 AND list = $2';
const KEEP_LIST = `INSERT INTO area_list (provider, list, areas, told_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (provider, list) DO UPDATE SET areas = EXCLUDED.areas, told_at = EXCLUDED.told_at`;
const KEEP_AREAS = `INSERT INTO area (provider, id, label, district, city, province, postcode, told_at)
  SELECT DISTINCT ON (a.id) $1, a.id, a.label, a.district, a.city, a.province, a.postcode, $3::timestamptz
  FROM jsonb_to_recordset($2::jsonb) AS a(id text, label text, district text, city text, province text, postcode text) ORDER BY a.id
  ON CONFLICT (provider, id) DO UPDATE SET label = EXCLUDED.label, district = EXCLUDED.district, city = EXCLUDED.city,
    province = EXCLUDED.province, postcode = EXCLUDED.postcode, told_at = EXCLUDED.told_at`;
export const AREA = 'SELECT district, city, province, postcode FROM area WHERE id = $1 ORDER BY told_at DESC LIMIT 1';

export interface KeptList {
  readonly areas: readonly ListedArea[];
  readonly told_at: Date;
}

/** A list as it was told last. */
export const keptList = async (sql: Sql, provider: string, list: string): Promise<KeptList | undefined> =>
  (await sql.prepared<KeptList>('area list', LIST, [provider, list]))[0];

export const keepList = async (
  sql: Sql,
  { provider, list }: { readonly provider: string; readonly list: string },
  areas: readonly ListedArea[],
  at: Date,
): Promise<void> => {
  await sql.query(KEEP_LIST, [provider, list, JSON.stringify(areas), at]);
};

export const keepAreas = async (sql: Sql, provider: string, areas: readonly FoundArea[], at: Date): Promise<void> => {
  if (areas.length > 0) await sql.query(KEEP_AREAS, [provider, JSON.stringify(areas), at]);
};

type AreaNames = Pick<FoundArea, 'district' | 'city' | 'province' | 'postcode'>;

/** What a place is called that somebody has searched for; of two providers with one id, the one that told last means it. */
export const namesOfArea = async (sql: Sql, id: string): Promise<AreaNames | undefined> =>
  (await sql.prepared<AreaNames>('area', AREA, [id]))[0];

/** An address called as the area of its id is, whatever was typed: by the id it is priced, and by its names it is sent. */
export const withNames = async <Where extends Partial<Address>>(sql: Sql, where: Where): Promise<Where> => {
  const { area_id } = where;
  if (area_id === undefined) return where;
  const { postcode, ...names } = (await namesOfArea(sql, area_id)) ?? { postcode: null };
  return { ...where, ...names, ...(postcode === null ? {} : { postcode }) };
};
