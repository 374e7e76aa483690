import { fieldsOf, fill, pickFields } from './broadcast-template';

const filled = (template: string, data: unknown) => {
  const picked = pickFields(fieldsOf(template), data as Record<string, unknown>);
  // As they come back from their jsonb column
  return 'fields' in picked
    ? fill(template, JSON.parse(JSON.stringify(picked.fields)) as Record<string, string>)
    : picked;
};

describe('the fields of a text', () => {
  it.each<[string, string, unknown, unknown]>([
    ['texts and numbers', '{{a}} {{ b }}', { a: ' Budi ', b: 0 }, 'Budi 0'],
    ['what looks like a reference of a pattern', '{{a}}', { a: "$& $1 $' {{b}}" }, "$& $1 $' {{b}}"],
    [
      'names of what every object has',
      '{{__proto__}} {{constructor}}',
      JSON.parse('{"__proto__":"p","constructor":"c"}'),
      'p c',
    ],
    ['half of a pair of braces', '{{a} {{}} {{b c}}', {}, '{{a} {{}} {{b c}}'],
  ])('are filled with %s', (_, template, data, expected) => {
    expect(filled(template, data)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['null', { toString: null }],
    ['an object', { toString: {} }],
    ['true', { toString: true }],
    ['blanks', { toString: ' \n' }],
  ])('are missing when they are %s', (_, data) => {
    expect(filled('{{toString}}', data)).toEqual({ missing: 'toString' });
  });
});
