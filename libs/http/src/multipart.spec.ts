import { parseSmallForm } from './multipart';

const TYPE = 'multipart/form-data; boundary=b';
const FIELD = 'content-disposition: form-data; name="a"\r\n\r\n1\r\n';

describe('a small form', () => {
  it('a small form is read when every delimiter ends its line', () =>
    expect({ ...parseSmallForm(TYPE, Buffer.from(`--b\r\n${FIELD}--b--`)) }).toEqual({ a: '1' }));

  it.each([
    ['more than the boundary on the line', `--bXX${FIELD}--b--`],
    ['a line that ends in a bare line feed', `--b\n${FIELD}--b--`],
    ['a space behind the boundary', `--b \r\n${FIELD}--b--`],
    ['another delimiter in the middle', `--b\r\n${FIELD}--bXX${FIELD}--b--`],
    ['nothing behind the last delimiter', `--b\r\n${FIELD}--b`],
  ])('a form with %s is left to multer', (_, body) => expect(parseSmallForm(TYPE, Buffer.from(body))).toBeUndefined());
});
