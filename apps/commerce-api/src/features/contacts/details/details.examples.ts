import { succeeds } from '../../../examples';
import { budi } from '../people/public';

const home = { name: 'Rumah', phone: '6281234567890', line: 'Jl. Merdeka 7', city: 'Bandung', postcode: '40111' };
const shown = { ...home, id: '0199f7a0-0000-7000-8000-000000000721', phone: '6281234567890' };

export const detailExamples = {
  addAddress: succeeds('a home', shown, { status: 201, message: 'Address created', request: home }),
  changeAddress: succeeds('another postcode', shown, { message: 'Address updated', request: home }),
  removeAddress: succeeds('one of several', null, { message: 'Address deleted' }),
  addNote: succeeds('a wish', budi.notes[0], {
    ...{ status: 201, message: 'Note created' },
    request: { text: 'Minta dikirim sore' },
  }),
  block: succeeds(
    'with a reason',
    { ...budi, blocked: true },
    { message: 'Contact updated', request: { blocked: true, reason: 'spam' } },
  ),
} as const;
