import { ownStore } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import type { Contact } from '../people/contact.dto';

const commerce = useCommerce();

it.each(['İzmir', 'ΟΔΟΣ', 'CAFÉ', 'Ǆ', 'ẞ'])('a contact gets the tag %s that another one has', async (name) => {
  const { ask } = await ownStore(commerce);
  const add = async (phone: string, tags: readonly string[]) => {
    const { status, body } = await ask<Contact>('POST', '/contact', { name: 'Budi', phone, tags });
    return { status, tags: body.data?.tags?.map((tag) => tag.id) };
  };
  const first = await add('6281234567890', [name]);
  expect(first).toEqual({ status: 201, tags: [expect.any(String)] });
  expect(await add('6281234567891', [name, name])).toEqual(first);
});
