import { KEY_WIDTH } from './inbox-data';
import type { Read } from './read-scale';
import { keyed, sizesOf } from './shop-data';

const page = '"current_page":';
const one = '"id":"00000000-';

/** A hundred lines, each another variant. */
const stockQuestion = (products: number): Read => ({
  name: 'stock of 100 lines',
  path: '/api/products/check-stock',
  body: {
    items: Array.from({ length: 100 }, (_, n) => ({
      sku: `SKU${String((n * 97) % products).padStart(KEY_WIDTH, '0')}A`,
      qty: 1,
    })),
  },
  keys: 1,
  expects: '"available":true',
});

/** What people who run a shop look at all day. */
export const shopReads = (orders: number): Read[] => {
  const sizes = sizesOf(orders);
  const list = (name: string, path: string, keys = 1): Read => ({ name, path, keys, expects: page });
  const search = (name: string, path: string, keys: number): Read => ({ ...list(name, path, keys), unnamed: true });
  return [
    list('products', '/api/products?per_page=20'),
    list('products by price', '/api/products?per_page=20&sort=price'),
    list('products, page 50', '/api/products?per_page=20&page=50'),
    list(
      'products of a category',
      `/api/products?per_page=20&category_id=${keyed('category').replace('{key}', '0000007')}`,
    ),
    search('products by SKU', '/api/products?q=sku{key}', sizes.products),
    {
      name: 'variants of a product',
      path: `/api/variant_product?product_id=${keyed('product')}`,
      keys: sizes.products,
      expects: '"data":[{"id":"',
    },
    { name: 'a product', path: `/api/products/${keyed('product')}`, keys: sizes.products, expects: one },
    list('orders', '/api/order?per_page=20'),
    list('open orders', '/api/order?per_page=20&status=open'),
    search('orders by number', '/api/order?q=ord-{key}', sizes.orders),
    list("a contact's orders", `/api/order?contact_id=${keyed('contact')}`, sizes.contacts),
    { name: 'an order', path: `/api/order/${keyed('order')}`, keys: sizes.orders, expects: one },
    list('payments', '/api/payment?per_page=20'),
    list('contacts', '/api/contact?per_page=20'),
    list('contacts by name', '/api/contact?per_page=20&sort=name'),
    search('contacts by phone', '/api/contact?q=62811{key}', sizes.contacts),
    { name: 'a contact', path: `/api/contact/${keyed('contact')}`, keys: sizes.contacts, expects: one },
    list('stock of a warehouse', `/api/warehouse/${keyed('warehouse').replace('{key}', '0000000')}/stock?per_page=20`),
    stockQuestion(sizes.products),
  ];
};
