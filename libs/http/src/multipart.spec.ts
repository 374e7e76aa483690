import { parseSmallForm } from './multipart';

const TYPE = 'multipart/form-data; boundary=b';
const FIELD = 'content-disposition: form-data; name="a"\r\n\r\n1\r\n';

describe('a small multipart form', () => {
  it('a small form is read when every delimiter is on its own line', () =>
    expect({ ...parseSmallForm(TYPE, Buffer.from(`--b\r\n${FIELD}--b--`)) }).toEqual({ a: '1' }));

  it.each([
    ['more than the boundary on the line', `--bXX${FIELD}--b--`],
    ['a line that ends in a bare line feed', `--b\n${FIELD}--b--`],
    ['a space behind the boundary', `--b \r\n${FIELD}--b--`],
    ['another delimiter in the middle', `--b\r\n${FIELD}--bXX${FIELD}--b--`],
    ['nothing behind the last delimiter', `--b\r\n${FIELD}--b`],
  ])('a form with %s is left to multer', (_, body) => expect(parseSmallForm(TYPE, Buffer.from(body))).toBeUndefined());

  const field = (name: string, value: string) =>
    `\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b`;
  const read = (fields: string, type = TYPE) => {
    const form = parseSmallForm(type, Buffer.from(`--b${fields}--`));
    return form && Object.fromEntries(Object.entries(form));
  };

  it.each(['multipart/form-data; Boundary="b"', 'multipart/form-data;charset=utf-8; boundary=b; x=y'])(
    'its boundary may be written as in %s',
    (type) => expect(read(field('a', '1'), type)).toEqual({ a: '1' }),
  );

  it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=c'])(
    'it is left to multer when its boundary is not the one of %s',
    (type) => expect(read(field('a', '1'), type)).toBeUndefined(),
  );

  it('its boundary may contain characters that need quotes, right after the semicolon', () =>
    expect({
      ...parseSmallForm('multipart/form-data;boundary="a b;c"', Buffer.from(`--a b;c\r\n${FIELD}--a b;c--`)),
    }).toEqual({ a: '1' }));

  it('it is left to multer when there is no boundary, whatever its lines look like', () =>
    expect(parseSmallForm('multipart/form-data', Buffer.from(`--undefined\r\n${FIELD}--undefined--`))).toBeUndefined());

  it('the first value of a name counts, even an empty one, and text of any language is kept', () =>
    expect(read(field('a', '') + field('a', '2') + field('b', ' é\r\n😀 ') + field('ü', 'x'))).toEqual({
      a: '',
      b: ' é\r\n😀 ',
      ü: 'x',
    }));

  it('a field without a value line is empty', () =>
    expect(read('\r\ncontent-disposition: form-data; name="a"\r\n\r\n--b')).toEqual({ a: '' }));

  it.each(['text/plain', 'text/plain;charset=UTF-8', 'Text/Plain; charset=utf-8'])(
    'a field may declare the type %s',
    (type) =>
      expect(read(`\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: ${type}\r\n\r\n1\r\n--b`)).toEqual({
        a: '1',
      }),
  );

  it.each([
    'content-disposition: form-data; name="a"; filename="x"',
    'content-disposition: form-data; name=""',
    'content-disposition: form-data; name="a"\r\ncontent-type: text/html',
    'content-disposition: form-data; name="a"\r\ncontent-type: text/plain; charset=latin1',
    'content-disposition: form-data; name="a"\r\nx-more: 1',
    'x-more: 1\r\ncontent-disposition: form-data; name="a"',
  ])('a part with the headers %j is left to multer', (headers) =>
    expect(read(`\r\n${headers}\r\n\r\n1\r\n--b`)).toBeUndefined(),
  );

  it('200 fields are read, more are left to multer', () => {
    const fields = (count: number) => Array.from({ length: count }, (_, at) => field(`f${at}`, 'x')).join('');
    expect(Object.keys(read(fields(200)) ?? {})).toHaveLength(200);
    expect(read(fields(201))).toBeUndefined();
  });

  it('a form with text before the first delimiter, or a value that never ends, is left to multer', () => {
    const whole = (body: string) => parseSmallForm(TYPE, Buffer.from(body));
    expect(whole(`hello--b\r\n${FIELD}--b--`)).toBeUndefined();
    expect(whole(`--x\r\n${FIELD}--b--`)).toBeUndefined();
    expect(whole(`--b\r\n${FIELD}`)).toBeUndefined();
    expect(whole(`--b\r\ncontent-disposition: form-data; name="a"`)).toBeUndefined();
    expect(whole('')).toBeUndefined();
  });

  it('a field may have the name of a member of Object.prototype', () =>
    expect(read(field('constructor', '1') + field('toString', '2'))).toEqual({ constructor: '1', toString: '2' }));
});
