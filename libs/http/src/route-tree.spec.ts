import { RouteTree } from './route-tree';

const tree = (...templates: string[]): RouteTree<string> => {
  const made = new RouteTree<string>();
  for (const template of templates) made.add(template, template);
  return made;
};

describe('a route tree', () => {
  it('a route tree finds the template of a path and its segments', () =>
    expect(tree('/orders/{id}', '/orders/{id}/lines/{line}').find('/orders/a%20b/lines/2')).toEqual({
      value: '/orders/{id}/lines/{line}',
      segments: ['a%20b', '2'],
    }));

  it('a route tree prefers a literal segment, and backtracks where that leads nowhere', () => {
    const routes = tree('/a/{x}/c', '/a/b/{y}', '/a/b/{y}/d');
    expect([routes.find('/a/b/c'), routes.find('/a/z/c')]).toEqual([
      { value: '/a/b/{y}', segments: ['c'] },
      { value: '/a/{x}/c', segments: ['z'] },
    ]);
    expect(tree('/a/{x}/c', '/a/b/d').find('/a/b/c')).toEqual({ value: '/a/{x}/c', segments: ['b'] });
  });

  it.each(['/orders', '/orders/', '/orders/1/', '/orders/1/2', '/Orders/1', 'orders/1', '', '/'])(
    'a route tree knows no template for %p',
    (path) => expect(tree('/orders/{id}').find(path)).toBeUndefined(),
  );

  it('the route that was added last to a route tree wins', () => {
    const routes = tree('/orders/{id}');
    routes.add('/orders/{order}', 'last');
    expect(routes.find('/orders/1')).toEqual({ value: 'last', segments: ['1'] });
  });
});

it('a route tree keeps no parameters of a branch that it backtracked from', () => {
  expect(tree('/a/{x}/b', '/{y}/{z}/c').find('/a/1/c')).toEqual({ value: '/{y}/{z}/c', segments: ['a', '1'] });
});
