import { formBytes } from './form-bytes';

/** What `fetch` makes of it, with our boundary. */
const asFetch = async (form: FormData, boundary: string): Promise<string> => {
  const sent = new Response(form);
  const [, theirs = ''] = /boundary=(.*)$/.exec(sent.headers.get('content-type') ?? '') ?? [];
  return Buffer.from(await sent.arrayBuffer())
    .toString('latin1')
    .replaceAll(theirs, boundary);
};

it.each<[string, (form: FormData) => void]>([
  ['nothing', () => undefined],
  [
    'texts with line breaks, quotes and halves of characters',
    (form) => (form.append('a"\r\nb\n', 'x\ny\r\nz\rä\ud83d'), form.append('a"', '')),
  ],
  [
    'a file',
    (form) => form.append('file', new Blob([Buffer.from([0, 255, 13, 10])], { type: 'image/png' }), 'ä "b".png'),
  ],
  ['a file without a name or a type', (form) => form.append('file', new Blob(['text']))],
])('a form with %s has the bytes that fetch sends', async (_, fill) => {
  const form = new FormData();
  fill(form);
  const { type, bytes } = await formBytes(form);
  const boundary = type.slice('multipart/form-data; boundary='.length);
  expect(bytes.toString('latin1').trimEnd()).toBe((await asFetch(form, boundary)).trimEnd());
});
