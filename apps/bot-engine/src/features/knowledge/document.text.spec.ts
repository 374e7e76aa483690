import { UnsupportedMedia } from '@platform/errors';
import { CHUNK, chunksOf, chunksWithin } from './chunks';
import { decodedText, kindOf, tidy } from './document.text';
import { textOfHtml } from './html.text';

const EXE = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(400, 0x90)]);

describe('the kind of a document', () => {
  it.each([
    ['a PDF', Buffer.from('%PDF-1.4'), 'pdf'],
    ['a text', Buffer.from('Retur 7 hari'), 'text'],
    ['a text of a Windows editor', Buffer.from('\ufeffRetur', 'utf16le'), 'text'],
    ['a page', Buffer.from('<!doctype html><p>Retur'), 'html'],
  ])('of %s is seen by its bytes', (_, bytes, kind) => expect(kindOf(bytes)).toBe(kind));

  it.each([
    ['a program', EXE],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['an archive', Buffer.from('PK\x03\x04')],
    ['nothing', Buffer.alloc(0)],
  ])('that is %s is refused', (_, bytes) => expect(() => kindOf(bytes)).toThrow(UnsupportedMedia));

  it('that turns out to be no text behind its beginning is refused', () => {
    const bytes = Buffer.concat([Buffer.alloc(600, 'a'), Buffer.from([0xff, 0xfe, 0xfd])]);
    expect(() => decodedText(bytes, 'text')).toThrow(UnsupportedMedia);
  });
});

describe('a text as it is kept', () => {
  it('has no heap of marks, which would hold up the process', () =>
    expect(decodedText(Buffer.from(`Retur a${'\u0301\u0323'.repeat(1_250_000)} 7 hari`), 'text')).toMatch(
      /^Retur ạ\p{M}{29} 7 hari$/u,
    ));

  it('has one kind of line ends, with no blanks around them', () =>
    expect(tidy('a \r\n \t\r b\u2028c\u2029\n\n\n d\t\te \n')).toBe('a\n\nb\nc\n\nd e'));

  it('has no control characters, hidden directions and needless blanks', () => {
    expect(tidy('\ufeff Retur\0\t 7\u202e hari \r\n\r\n\r\n\n\u0007Ongkir\ud800 ')).toBe(
      'Retur 7 hari\n\nOngkir\ufffd',
    );
  });

  it('keeps right-to-left scripts and emoji', () => {
    expect(tidy('سياسة الإرجاع 😀')).toBe('سياسة الإرجاع 😀');
  });

  it('of UTF-16 is the same as of UTF-8', () => {
    expect(decodedText(Buffer.from('\ufeffRetur – 7 hari', 'utf16le'), 'text')).toBe('Retur – 7 hari');
  });
});

describe('the text of a page', () => {
  it('is what a person sees', () => {
    const page = `<!doctype html><html><head><title>x</title></head><body><nav>Menu</nav><h1>Retur</h1>
      <!-- <p>lama</p> --><p>Batas <b>7</b>&nbsp;hari &amp; gratis.<br>Kecuali promo&#33;</p><script>if (1 < 2) steal()</script><STYLE>p{}</STYLE></body>`;
    expect(tidy(textOfHtml(page))).toBe('Retur\n\nBatas 7 hari & gratis.\nKecuali promo!');
  });

  it.each([
    ['tags without an end', '<p>a'.repeat(100_000) + '<'.repeat(300_000)],
    ['scripts without an end', '<script>'.repeat(200_000)],
    ['comments without an end', '<!--'.repeat(400_000)],
    ['entities of no characters', '&#9999999;&#xffffff;&nope;'.repeat(50_000)],
  ])('with %s is read in one pass', (_, page) => expect(typeof textOfHtml(page)).toBe('string'));
});

describe('the chunks of a text', () => {
  const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);
  const sentences = (count: number): string =>
    Array.from({ length: count }, (_, n) => `Kalimat nomor ${n} berbicara tentang retur barang.`).join(' ');

  it('hold all its words in their order, at most 800 characters each', () => {
    for (const text of [sentences(200), sentences(3), 'a '.repeat(3_000), `${sentences(20)}\n\n${sentences(40)}`]) {
      const chunks = chunksOf(tidy(text));
      expect(wordsOf(chunks.join(' '))).toEqual(wordsOf(text));
      expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(CHUNK);
    }
  });

  it('end where sentences end', () => {
    expect(chunksOf(sentences(100)).filter((chunk) => !chunk.endsWith('.'))).toEqual([]);
  });

  it('begin with the heading of what they say', () => {
    const text = `Retur\n\n${'Panjang sekali. '.repeat(30).trim()}\n\nOngkir\n\nDitanggung pembeli.`;
    expect(chunksOf(text).map((chunk) => chunk.split('\n')[0])).toEqual(['Retur', 'Ongkir']);
  });

  it('of one endless word are cut between characters', () => {
    const chunks = chunksOf('😀'.repeat(1_000));
    expect(chunks.join('')).toBe('😀'.repeat(1_000));
    expect(chunks.filter((chunk) => /\p{Surrogate}/u.test(chunk) || chunk.length > CHUNK)).toEqual([]);
  });

  it('are given up where they are more than are wanted, and never where they are not', () => {
    const paragraphs = (count: number) => Array(count).fill('a'.repeat(CHUNK)).join('\n\n');
    expect(chunksWithin(paragraphs(3), 3)).toHaveLength(3);
    expect(chunksWithin(paragraphs(4), 3)).toBeUndefined();
    expect(
      chunksWithin(
        Array(4)
          .fill(`${'a'.repeat(CHUNK / 2)}.`)
          .join('\n\n'),
        3,
      ),
    ).toBeUndefined();
    expect(chunksWithin('', 3)).toEqual([]);
  });

  it('of nothing are none', () => expect(chunksOf('')).toEqual([]));
});
