import { formBody } from './peer-form';

it('fields become a multipart form, without those that are undefined', async () => {
  const { headers, body } = formBody({ nohp: '6281', alasan: 'rusak "sekali" \u{1f600}', prioritas: undefined });
  const form = await new Response(body as string, { headers }).formData();
  expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect([...form.entries()]).toEqual([
    ['nohp', '6281'],
    ['alasan', 'rusak "sekali" \u{1f600}'],
  ]);
});

it('a file behind them is sent as it is read, with its length and a name that ends no header', async () => {
  const bytes = [Buffer.from([0, 255, 13, 10]), Buffer.from('--')];
  const file = {
    ...{ field: 'file', filename: 'a"\r\nX-Evil: 1.pdf', mimetype: 'application/pdf\r\nX-Evil: 1', size: 6 },
    read: async function* () {
      yield* bytes;
    },
  };
  const { headers, body } = formBody({ title: 'Retur' }, file);
  const sent: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) sent.push(chunk);
  expect(headers['content-length']).toBe(String(Buffer.concat(sent).length));
  const form = await new Response(Buffer.concat(sent), { headers }).formData();
  const got = form.get('file') as File;
  expect([form.get('title'), got.type, Buffer.from(await got.arrayBuffer())]).toEqual([
    ...['Retur', 'application/octet-stream'],
    Buffer.concat(bytes),
  ]);
});
