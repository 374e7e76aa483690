import { PublicBiolinks, VIEWS } from './features/marketing/biolinks/public';
import { Tally } from './features/marketing/counting/public';
import { CLICKS, linkOpened, ShortLinks } from './features/marketing/trackers/public';
import { BROWSER, NOBODY, type Made, type Story } from './walk.fixture';

const PHONE = '6281299887744';
const UTM = { source: 'instagram', medium: 'bio', campaign: 'lebaran' };

const blocks = async ({ tell, ask }: Story, page: string, product_id: string): Promise<string> => {
  const add = 'POST /api/biolink/{id}/links';
  const chat = { title: 'Tanya stok lewat WhatsApp', phone: '6281234567890', text: 'Halo Toko Nusa' };
  const { id } = await tell(add, { kind: 'whatsapp', data: chat }, page);
  const product = await ask(add, { kind: 'product', data: { product_id } }, page);
  const map = { kind: 'link', data: { title: 'Peta toko', url: 'https://maps.example/toko-nusa' } };
  const place = await ask(add, map, page);
  await tell('PUT /api/biolink/{id}/links/order', { ids: [product.id, id] }, page);
  const asked = { ...chat, text: 'Halo Toko Nusa, topinya masih ada?' };
  await tell('PUT /api/biolink/{id}/links/{linkId}', { kind: 'whatsapp', data: asked }, page, id);
  await tell('DELETE /api/biolink/{id}/links/{linkId}', undefined, page, place.id);
  return id;
};

/** The page that the shop names wherever there is room for one link only. */
const bioLinks = async (story: Story): Promise<void> => {
  const { commerce, tell, ask } = story;
  const [product] = await ask<Made[]>('GET /api/products', { q: 'Topi' });
  const body = { slug: 'toko-nusa', title: 'Toko Nusa', bio: 'Topi dan sepatu lari dari Bandung' };
  const { id } = await tell('POST /api/biolink', { ...body, theme: { accent: '#ff6600', shape: 'pill' } });
  const chat = await blocks(story, id, product?.id ?? '');
  await tell('PUT /api/biolink/{id}', { bio: 'Topi dan sepatu lari, buka tiap hari' }, id);
  await tell('PUT /api/biolink/{id}/publish', { published: true }, id);
  const { database, clock } = commerce;
  const pages = new PublicBiolinks(database, new Tally({ database, clock }, VIEWS));
  for (let visitors = 0; visitors < 3; visitors += 1) await pages.view(body.slug, BROWSER);
  await pages.click(body.slug, chat, BROWSER);
  await tell('GET /api/biolink', { q: 'nusa' });
  await tell('GET /api/biolink/{id}', undefined, id);
  await tell('GET /api/biolink/{id}/statistics', { from: '2026-03-01', to: '2026-03-03' }, id);
  const old = await ask('POST /api/biolink', { ...body, slug: 'toko-nusa-lama' });
  await tell('DELETE /api/biolink/{id}', undefined, old.id);
};

/** A link that is given out, followed twice, and has begun a chat. */
const shortLinks = async ({ commerce, tell, ask }: Story): Promise<void> => {
  const { database, clock } = commerce;
  const target = 'https://wa.me/6281234567890?text=Halo';
  const { id } = await tell('POST /api/tracker', { target, code: 'lebaran26', utm: UTM });
  await tell('PUT /api/tracker/{id}', { utm: { ...UTM, content: 'sorotan' } }, id);
  const links = new ShortLinks(database, new Tally({ database, clock }, CLICKS));
  for (let clicks = 0; clicks < 2; clicks += 1) await links.follow('lebaran26', BROWSER);
  const opened = { storeId: 'S1', id: 'walk', code: 'lebaran26', phone: PHONE, chatId: 'C1', at: clock.now() };
  await database.tx((tx) => linkOpened(tx, opened));
  await tell('GET /api/tracker/{id}', undefined, id);
  await tell('GET /api/tracker', { q: 'lebaran' });
  const today = clock.now().toISOString().slice(0, 10);
  await tell('GET /api/tracker/{id}/clicks', { from: today, to: today }, id);
  const old = await ask('POST /api/tracker', { target, code: 'promo25' });
  await tell('DELETE /api/tracker/{id}', undefined, old.id);
};

/** What somebody does in the shop who came by an advertisement. */
const visits = async ({ tell, ask }: Story): Promise<void> => {
  const visit = { visitor_id: 'v-7f3a', store_slug: 'toko-nusa', consent: true };
  const event = 'POST /api/tracking/event';
  const url = 'https://toko-nusa.shops.example/';
  await tell(event, {
    ...visit,
    event: 'page_view',
    event_id: 'e-1',
    url: `${url}?utm_source=instagram&utm_medium=bio`,
  });
  await ask(event, { ...visit, event: 'view_content', event_id: 'e-2', url: `${url}product/topi-nusa` });
  await ask(event, { ...visit, event: 'add_to_cart', event_id: 'e-3', url: `${url}product/topi-nusa` });
  await tell('GET /api/tracking/sources');
  await tell('GET /api/tracking/funnel');
};

/** What is not there, and what somebody has already. */
const nothing = async ({ refuse }: Story): Promise<void> => {
  for (const [route, request] of [
    ['GET /api/biolink/{id}'],
    ['GET /api/biolink/{id}/statistics'],
    ['PUT /api/biolink/{id}', { title: 'Toko Nusa' }],
    ['PUT /api/biolink/{id}/publish', { published: true }],
    ['DELETE /api/biolink/{id}'],
    ['POST /api/biolink/{id}/links', { kind: 'heading', data: { title: 'Toko kami' } }],
    ['PUT /api/biolink/{id}/links/order', { ids: [NOBODY] }],
    ['PUT /api/biolink/{id}/links/{linkId}', { kind: 'heading', data: { title: 'Toko kami' } }],
    ['DELETE /api/biolink/{id}/links/{linkId}'],
    ['GET /api/tracker/{id}'],
    ['GET /api/tracker/{id}/clicks'],
    ['PUT /api/tracker/{id}', { utm: UTM }],
    ['DELETE /api/tracker/{id}'],
    ['GET /api/report/export/{id}'],
  ] as const)
    await refuse(404, route, request, NOBODY, NOBODY);
  const target = 'https://toko-nusa.co.id/';
  await refuse(409, 'POST /api/biolink', { slug: 'toko-nusa', title: 'Toko Nusa' });
  await refuse(409, 'POST /api/tracker', { target, code: 'lebaran26' });
  await refuse(422, 'POST /api/tracker', { target: 'javascript:alert(1)' });
  await refuse(422, 'GET /api/tracking/funnel', { from: '2026-03-31', to: '2026-03-01' });
};

/** The shop is talked about, and sees by what people came. */
export const advertise = async (story: Story): Promise<void> => {
  await bioLinks(story);
  await shortLinks(story);
  await visits(story);
  await nothing(story);
};
