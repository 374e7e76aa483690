import { withFile, withLateFile, withoutFile, type CallbackRow } from './callback.row';

const row = (raw: object): CallbackRow => ({
  callback: {
    instanceID: 'dev1',
    result: true,
    report: false,
    number: '62812@s.whatsapp.net',
    rawMessage: JSON.stringify(raw),
  },
});
const file = { key: 'a.pdf', mimetype: 'application/pdf', fileName: 'tagihan.pdf', size: 8 };
const rawOf = ({ callback }: CallbackRow) => JSON.parse(callback.rawMessage ?? '') as unknown;

describe.each([
  ['that leaves no room for more', { text: 'x'.repeat(65_520) }],
  ['that was too long already', { truncated: true }],
])('a message %s', (_, raw) => {
  it('is told with all that is known of its file', () => {
    const facts = { fileUrl: '/files/a.pdf', mimetype: 'application/pdf', fileName: 'tagihan.pdf', fileSize: 8 };
    expect(rawOf(withFile(row(raw), file, ''))).toEqual({ truncated: true, ...facts });
    const late = { baseUrl: '', reason: 'not yet' };
    expect(rawOf(withLateFile(row(raw), file, late))).toEqual({ truncated: true, ...facts, mediaError: 'not yet' });
    expect(rawOf(withoutFile(row(raw), 'lost'))).toEqual({ truncated: true, mediaError: 'lost' });
  });
});
