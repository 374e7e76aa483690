import { NO_PART } from '../../marketing/counting/public';
import { idOf } from '../shop/public';
import type { Rows } from './rows';
import { DAY_MS, later, type Scene } from './scene';

const DAYS = 7;
const BLOCKS = [
  { kind: 'heading', data: { title: 'Belanja' } },
  { kind: 'link', data: { title: 'Katalog', url: 'https://shop.example/toko-nusa' } },
  {
    kind: 'social',
    data: { title: 'Ikuti kami', links: [{ network: 'instagram', url: 'https://instagram.com/tokonusa' }] },
  },
] as const;

/** The week before now, day by day where the shop is. */
const weekOf = ({ clocks, now }: Scene): readonly string[] =>
  Array.from({ length: DAYS }, (_, n) =>
    clocks
      .shown(later(now, (n + 1 - DAYS) * DAY_MS))
      .toISOString()
      .slice(0, 10),
  );

/** Sums of a day, which look like those of a small shop. */
const about = (least: number, day: number): number => least + ((day * 7) % 11);

const addTracker = (rows: Rows, scene: Scene): void => {
  const { storeId, now } = scene;
  const [of, id, since] = [{ store_id: storeId }, idOf(storeId, 'tracker', 'bio'), later(now, -DAYS * DAY_MS)];
  // A code is one shop's only, and this is seeded for several
  const code = id.slice(0, 8);
  rows.add('global_key', { ...of, kind: 'tracker', value: code, ref_id: id });
  rows.add('tracker_link', {
    ...{ ...of, id, code, target: 'https://shop.example/toko-nusa', utm: { source: 'instagram', medium: 'bio' } },
    ...{ created_at: since, updated_at: since },
  });
  for (const [n, day] of weekOf(scene).entries())
    rows.add('tracker_daily', { ...of, tracker_id: id, day, clicks: about(5, n + 1), chats: (n + 1) % 3 });
};

const addBiolink = (rows: Rows, scene: Scene): void => {
  const { storeId, now } = scene;
  const [of, id, since] = [{ store_id: storeId }, idOf(storeId, 'biolink', 'bio'), later(now, -DAYS * DAY_MS)];
  const times = { created_at: since, updated_at: since };
  const slug = `bio-${id.slice(0, 8)}`;
  rows.add('global_key', { ...of, kind: 'biolink', value: slug, ref_id: id });
  rows.add('biolink', {
    ...of,
    id,
    slug,
    title: 'Toko Nusa',
    bio: 'Sepatu, kaos, topi.',
    theme: {},
    published: true,
    ...times,
  });
  const blocks = BLOCKS.map((block) => ({ ...block, id: idOf(storeId, 'biolink_block', block.kind) }));
  for (const [position, { id: block, kind, data }] of blocks.entries())
    rows.add('biolink_block', { ...of, id: block, biolink_id: id, kind, data, position, active: true, ...times });
  const counted = [NO_PART, ...blocks.slice(1).map((block) => block.id)];
  for (const [n, day] of weekOf(scene).entries())
    for (const [part, block_id] of counted.entries())
      rows.add('biolink_daily', { ...of, biolink_id: id, day, block_id, count: about(part === 0 ? 20 : 2, n + part) });
};

/** A short link and a page of links, which were opened for a week. */
export const addMarketing = (rows: Rows, scene: Scene): void => {
  addTracker(rows, scene);
  addBiolink(rows, scene);
};
