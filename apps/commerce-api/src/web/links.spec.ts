// What the sweep of all pages finds, by planted mistakes.
import { doubledIds, faultsOf } from './links.fixture';

const mounted = new Set(['get /coupons', 'post /coupons', 'get /dashboard', 'post /logout']);
const faults = (html: string) => faultsOf(html, (path, method) => mounted.has(`${method} ${path}`));

it('links, forms and requests that lead to a route of ours are fine, whatever they ask it', () =>
  expect(
    faults(`<a href="/coupons?status=paused&amp;page=2" hx-get="/coupons?status=paused&amp;page=2" hx-target="#list">x</a>
      <form method="post" action="/coupons"><input name="q" value="a > b"/></form><form action="/coupons" role="search"></form>
      <a class="skip" href="#main">y</a><a href="mailto:a@b.example">z</a><svg><use href="/assets/icons.svg#x"></use></svg>`),
  ).toEqual([]));

it.each([
  ['a link to a page that is not there', '<a href="/orders/1">x</a>', 'a: no GET /orders/1'],
  ['a form for a route that only shows', '<form method="post" action="/dashboard"></form>', 'form: no POST /dashboard'],
  ['a form for a route that only takes', '<form action="/logout"></form>', 'form: no GET /logout'],
  ['a button that sends its form elsewhere', '<button formaction="/gone">x</button>', 'button: no POST /gone'],
  ['a request of htmx that nobody answers', '<div hx-get="/gone"></div>', 'div: no GET /gone'],
  ['a misspelt attribute of htmx', '<div hx-psot="/coupons"></div>', 'div: hx-psot is no attribute of ours'],
  ['one that needs eval', '<div hx-on:click="alert(1)"></div>', 'div: hx-on:click is no attribute of ours'],
  ['another site', '<a href="https://evil.example/">x</a>', 'a: no GET https://evil.example/'],
  ['a link that runs script', '<a href="javascript:alert(1)">x</a>', 'a: no GET javascript:alert(1)'],
  ['an inline style', '<p style="color:red">x</p>', 'p: style is inline'],
  ['an inline handler', '<p onclick="x()">x</p>', 'p: onclick is inline'],
])('%s is reported', (_, html, fault) => expect(faults(html)).toEqual([fault]));

it('ids that two elements have are reported', () =>
  expect(doubledIds('<p id="a"></p><p id="b"></p><i id="a"></i>')).toEqual(['a']));
