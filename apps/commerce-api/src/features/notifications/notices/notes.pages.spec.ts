// What a member was told, in a browser.
import { uuidv7 } from '@platform/runtime';
import { useCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useCommerce();
const NOTE = `INSERT INTO notification (store_id, id, user_id, notice_id, event, title, body, url, in_app, created_at)
  VALUES ($1, $2, $3, $4, 'order.paid', $4, $5, $6, true, now())`;
const told = async ({ storeId, userId }: { storeId: string; userId: string }, title: string, url = '/orders') => {
  const id = uuidv7();
  await commerce.database.query(NOTE, [storeId, id, userId, title, '<script>alert(1)</script>', url]);
  return id;
};

it('one, then all are marked as read; what is read is not among the unread', async () => {
  const shop = await signedIn(commerce);
  const [one] = [await told(shop, 'Satu'), await told(shop, 'Dua')];
  const { text } = await shop.browser.get('/notifications');
  expect([text.includes('&lt;script>'), text.includes('href="/orders"'), text.includes('Tandai semua dibaca')]).toEqual(
    [true, true, true],
  );
  const read = await shop.browser.post('/notifications/read', { action: `one.${one}`, id: one });
  expect(read).toMatchObject({ status: 303, location: '/notifications' });
  const unread = (await shop.browser.get('/notifications?unread=true')).text;
  expect([unread.includes('>Satu<'), unread.includes('>Dua<')]).toEqual([false, true]);
  await shop.browser.post('/notifications/read', { action: 'all' });
  const { text: after } = await shop.browser.get('/notifications');
  expect([after.includes('Tandai semua dibaca'), after.includes('Semua ditandai dibaca.')]).toEqual([false, true]);
});

it("somebody else's is 404, and an address that is none of ours is words alone", async () => {
  const shop = await signedIn(commerce);
  const mate = await signedIn(commerce, 'admin', shop.storeId);
  const theirs = await told(mate, 'Milik rekan');
  await told(shop, 'Ke luar', 'javascript:alert(1)');
  const { text } = await shop.browser.get('/notifications');
  expect([text.includes('Milik rekan'), text.includes('href="javascript:')]).toEqual([false, false]);
  expect((await shop.browser.post('/notifications/read', { action: `one.${theirs}`, id: theirs })).status).toBe(404);
});
