// What is wrong with a row, in the language of who reads it.
import { readerOf } from '../web/i18n/reader';
import { reasonOf } from './import.view';

const [id, en] = [readerOf('id', 'Asia/Jakarta'), readerOf('en', 'Asia/Jakarta')];
const fault = { row: 2, field: 'sku', message: 'in English' };

it.each([
  [{ tag: 'twice', about: '7' }, 'sku sama dengan baris 7.', 'sku is that of row 7.'],
  [{ tag: 'required' }, 'sku harus diisi.', 'sku is needed.'],
  [{ tag: 'constructor' }, 'sku tidak benar.', 'sku is not right.'],
  [{ tag: 'gtfield', field: 'variants[0].compare_at' }, 'compare_at harus lebih besar dari price.', undefined],
  [{ tag: 'sku_taken', field: '' }, 'SKU ini sudah dipakai produk lain.', 'Another product has this SKU.'],
  [{ tag: 'of nobody', field: '' }, 'Baris ini tidak bisa disimpan.', 'This row cannot be saved.'],
  // Kept before faults had rules
  [{ field: '' }, 'Baris ini tidak bisa disimpan.', 'This row cannot be saved.'],
])('the fault %j is told by its rule', (broken, indonesian, english = reasonOf(en, { ...fault, ...broken })) => {
  expect([reasonOf(id, { ...fault, ...broken }), reasonOf(en, { ...fault, ...broken })]).toEqual([indonesian, english]);
});
