import { isTimeZone } from './time-zone';

it.each([
  ['Asia/Jakarta', true],
  ['UTC', true],
  ['Mars/Phobos', false],
  ['WIB', false],
  ['+07:00', false],
  ['-03:00', false],
  ['', false],
])('%j as a time zone: %j', (name, is) => expect(isTimeZone(name)).toBe(is));
