import { formBody } from './peer-form';

it('fields become a multipart form, without those that are undefined', async () => {
  const { headers, body } = await formBody({ nohp: '6281', alasan: 'rusak "sekali" \u{1f600}', prioritas: undefined });
  const form = await new Response(body, { headers }).formData();
  expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect([...form.entries()]).toEqual([
    ['nohp', '6281'],
    ['alasan', 'rusak "sekali" \u{1f600}'],
  ]);
});
