import { rendered } from '@platform/http';
import { readerOf } from '../../../web/i18n/reader';
import { Bubble } from './bubble.view';
import type { ThreadMessage } from './inbox.types';

const FILE = {
  ...{
    id: 'WA1',
    seq: 1,
    type: 'document',
    text: null,
    caption: null,
    media_url: null,
    quote: null,
    location: null,
    isShown: false,
  },
  ...{
    from_me: false,
    role: 'customer',
    author: 'customer',
    status: 'delivered',
    error: null,
    at: '2026-11-20T06:45:00.000Z',
  },
} as unknown as ThreadMessage;
const shown = (filename: string): string =>
  rendered(<Bubble message={{ ...FILE, filename }} t={readerOf('id')} />).html;

it('what was not sent says so, and not that it waits', () => {
  const mine = { ...FILE, type: 'text', text: 'Ada', from_me: true, status: 'pending' } as ThreadMessage;
  const html = (error: string | null) => rendered(<Bubble message={{ ...mine, error }} t={readerOf('en')} />).html;
  const [sending, failed] = [html(null), html('the device was removed')];
  expect([sending.includes('Waiting'), sending.includes('Not sent')]).toEqual([true, false]);
  expect([failed.includes('Waiting'), failed.includes('Not sent')]).toEqual([false, true]);
});

it('the name of a file turns nothing around it, and one of which nothing is seen is its kind', () => {
  expect(shown('gpj.\u202e<b>')).toContain('<bdi>gpj.\u202e&lt;b></bdi>');
  expect(shown('\u200b')).toMatch(/<\/svg>Berkas<\/p>/);
});

it('what a customer answers stands above their answer, as much of it as reminds a reader, and turns nothing around it', () => {
  const answer = { ...FILE, type: 'text', text: 'Yang ini' } as ThreadMessage;
  const html = (quote: string | null) => rendered(<Bubble message={{ ...answer, quote }} t={readerOf('id')} />).html;
  const quoted = html('Ada ukuran <b>42</b>?');
  expect(quoted.indexOf('Ada ukuran &lt;b>42&lt;/b>?')).toBeLessThan(quoted.indexOf('Yang ini'));
  expect(quoted).toContain('<blockquote class="bubble-quote" dir="auto">');
  for (const none of [null, '\u200b']) expect(html(none)).not.toContain('blockquote');
  const long = html('a'.repeat(159) + '😀'.repeat(2_420));
  expect([long.includes(`${'a'.repeat(159)}😀…<`), long.length < 1_500]).toEqual([true, true]);
});
