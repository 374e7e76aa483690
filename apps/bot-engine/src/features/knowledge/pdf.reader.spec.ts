import { NoText, PDF_LIMITS, readPdf, TooMuch } from './pdf.reader';
import { pdfOf, pdfThatSays } from './pdf.fixture';

const MB = 1024 * 1024;

describe('the text of a PDF', () => {
  it('is read line by line', async () => {
    expect((await readPdf(pdfThatSays('Retur 7 hari.', 'Ongkir ditanggung pembeli.'))).trim()).toBe(
      'Retur 7 hari.\nOngkir ditanggung pembeli.',
    );
  });

  it('is empty where a page only draws, as a scan does', async () => {
    expect((await readPdf(pdfOf(Buffer.from('0 0 100 100 re f')))).trim()).toBe('');
  });

  it.each([
    ['bytes that only begin like one', Buffer.from('%PDF-1.7 and then nothing')],
    ['one that was cut off', pdfThatSays('x').subarray(0, 120)],
    ['nothing', Buffer.alloc(0)],
  ])('cannot be had of %s', async (_, bytes) => {
    await expect(readPdf(bytes)).rejects.toThrow(NoText);
  });

  it('is not waited for beyond its time', async () => {
    const slow = pdfOf(Buffer.alloc(200 * MB, 'q Q '), { packed: true });
    await expect(readPdf(slow, { ...PDF_LIMITS, timeoutMs: 1_000, memoryMb: 4_000 })).rejects.toThrow(TooMuch);
  });

  it('ends where the document unpacks to more memory than it may have', async () => {
    const bomb = pdfOf(Buffer.alloc(400 * MB, 32), { packed: true });
    expect(bomb.length).toBeLessThan(MB);
    const before = process.memoryUsage.rss();
    await expect(readPdf(bomb)).rejects.toThrow(TooMuch);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MB);
  });

  it('ends where it is longer than a document may be', async () => {
    const lines = Array.from({ length: 200 }, (_, n) => `line ${n}`);
    await expect(readPdf(pdfThatSays(...lines), { ...PDF_LIMITS, characters: 100 })).rejects.toThrow(TooMuch);
  });

  it('is given up when the process stops', async () => {
    const stopping = new AbortController();
    const reading = readPdf(pdfOf(Buffer.alloc(200 * MB, 'q Q '), { packed: true }), PDF_LIMITS, stopping.signal);
    stopping.abort(new Error('stopping'));
    await expect(reading).rejects.toThrow('stopping');
  });
});
