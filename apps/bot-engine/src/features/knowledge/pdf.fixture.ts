import { deflateSync } from 'node:zlib';

/** A document of one page, whose content is this stream of drawing commands. */
export const pdfOf = (content: Buffer, { packed = false } = {}): Buffer => {
  const stream = packed ? deflateSync(content) : content;
  const filter = packed ? '/Filter/FlateDecode' : '';
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>'),
    Buffer.concat([Buffer.from(`<<${filter}/Length ${stream.length}>>stream\n`), stream, Buffer.from('\nendstream')]),
    Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'),
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const starts: number[] = [];
  let at = 9;
  objects.forEach((object, n) => {
    starts.push(at);
    const whole = Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(whole);
    at += whole.length;
  });
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(`xref\n0 6\n0000000000 65535 f \n${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${at}\n%%EOF`),
  );
  return Buffer.concat(parts);
};

/** A document that says these lines. */
export const pdfThatSays = (...lines: readonly string[]): Buffer =>
  pdfOf(Buffer.from(`BT /F1 12 Tf 14 TL 20 700 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`));
