import { nestedNames } from './index';

describe('bracketed names of a form', () => {
  it('bracketed form names become objects and lists', () => {
    const { value } = nestedNames({
      plain: '1',
      'a[b][c][d]': '2',
      'a[b][e]': '3',
      'l[0]': 'x',
      'l[1]': 'y',
      'm[]': 'z',
    });
    expect(value).toEqual({ plain: '1', a: { b: { c: { d: '2' }, e: '3' } }, l: ['x', 'y'], m: 'z' });
  });

  it.each([
    ['__proto__[polluted]', 'name', '__proto__[polluted] is no name of a field'],
    ['a[__proto__]', 'name', 'a[__proto__] is no name of a field'],
    ['a[constructor][prototype]', 'name', 'a[constructor][prototype] is no name of a field'],
    ['[a]', 'name', '[a] is no name of a field'],
    ['a[b', 'name', 'a[b is no name of a field'],
    ['a[b]]', 'name', 'a[b]] is no name of a field'],
    ['a[][b]', 'name', 'a[][b] is no name of a field'],
    ['a[b][c][d][e]', 'max', 'a[b][c][d][e] must be nested at most 4 deep'],
    ['a[1]', 'array', 'a must be numbered from 0 without gaps'],
    ['a[999]', 'array', 'a must be numbered from 0 without gaps'],
    ['a[b][2][c]', 'array', 'a[b] must be numbered from 0 without gaps'],
  ])('form names like %s are refused', (name, tag, message) => {
    const { violations } = nestedNames({ [name]: 'x' });
    expect(violations).toEqual([{ field: tag === 'array' ? message.split(' ')[0] : name, tag, message }]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('a form whose own names are numbers stays an object, and one whose inner names are mixed too', () => {
    expect(nestedNames({ 0: 'x', 'a[b]': 'y' }).value).toEqual({ 0: 'x', a: { b: 'y' } });
    expect(nestedNames({ 0: 'x', 1: 'y' }).value).toEqual({ 0: 'x', 1: 'y' });
    expect(nestedNames({ 'a[0]': 'x', 'a[b]': 'y' }).value).toEqual({ a: { 0: 'x', b: 'y' } });
  });

  it('a form list with an index beyond its length is refused', () =>
    expect(nestedNames({ 'a[0]': 'x', 'a[2]': 'y' }).violations).toEqual([
      { field: 'a', tag: 'array', message: 'a must be numbered from 0 without gaps' },
    ]));

  it('form names are refused when two of them name the same member', () => {
    const twice = (fields: object) => nestedNames(fields as Record<string, unknown>).violations;
    const message = 'a[b] is given twice';
    expect(twice({ a: '1', 'a[b]': '2' })).toEqual([{ field: 'a[b]', tag: 'unique', message }]);
    expect(twice({ 'a[b]': '1', a: '2' })).toEqual([{ field: 'a', tag: 'unique', message: 'a is given twice' }]);
    expect(twice({ 'l[0]': '1', 'l[00]': '2' })).toBeUndefined();
  });

  it.each([
    ['[', '['],
    ['a[b][c][d][', 'a[b][c][d]['],
    ['a[', 'a['],
  ])('a refused form name that begins with %s is quoted by its first 100 characters', (begin, told) => {
    const name = begin + 'x'.repeat(60_000);
    const [{ field, message } = { field: '', message: '' }] = nestedNames({ [name]: '1' }).violations ?? [];
    expect(field).toBe(told.padEnd(100, 'x'));
    expect(message.length).toBeLessThan(200);
  });

  it('conflicting form names are quoted by their first 100 characters', () => {
    const name = `a[${'x'.repeat(60_000)}]`;
    const told = name.slice(0, 100);
    expect(nestedNames({ [name]: '1', [`${name}[]`]: '2' }).violations).toEqual([
      { field: told, tag: 'unique', message: `${told} is given twice` },
    ]);
    expect(nestedNames({ [name.replace(']', '][1]')]: '1' }).violations).toEqual([
      { field: told, tag: 'array', message: `${told} must be numbered from 0 without gaps` },
    ]);
  });

  it('a form has at most 200 names', () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`l[${at}]`, 'x']));
    expect(nestedNames(fields(200)).value).toEqual({ l: Array<string>(200).fill('x') });
    expect(nestedNames(fields(201)).violations).toEqual([
      { field: '', tag: 'max', message: 'a form must have at most 200 fields' },
    ]);
  });
});
