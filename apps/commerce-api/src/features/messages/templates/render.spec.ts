import { defaultBodies, messageEvents, variablesOf } from './message.events';
import { nameOnly, render, unknownVariables } from './render';

it('a value is put in as it is: neither read as a body again, nor as more than one line', () => {
  const values = { store_name: 'Toko {{total}}\nNusa', total: '$& $1' };
  expect(render('{{store_name}} / {{ total }}', values)).toBe('Toko {{total}} Nusa / $& $1');
});

it('a line whose variables are all empty is left out, one with something to tell is not', () => {
  const body = 'A\nBayar di {{pay_url}}\n{{courier}} {{waybill}}\nB';
  expect(render(body, { pay_url: '', courier: '', waybill: 'JNE1' })).toBe('A\n JNE1\nB');
  expect(render(body, { pay_url: '', courier: '', waybill: '' })).toBe('A\nB');
});

it('a message is never longer than a chat takes, and ends with no half of a letter', () => {
  const text = render('{{store_name}}', { store_name: `${'x'.repeat(3_999)}😀` });
  expect([text.length, /\p{Surrogate}/u.test(text)]).toEqual([3_999, false]);
});

it('a name that somebody typed cannot become a link, a number or a second line', () => {
  expect(nameOnly('Menang! http://evil.example/x 0812-3456\nklik')).toBe('Menang http evil example x - klik');
  expect(nameOnly("Siti Nur'aini Ünal-Öz")).toBe("Siti Nur'aini Ünal-Öz");
  expect(nameOnly('x'.repeat(500))).toHaveLength(60);
});

it('spaces behind braces that nothing closes are read once', () => {
  const body = `{{${' '.repeat(50_000)}x`;
  expect(unknownVariables('order_paid', body)).toEqual([]);
  expect(render(`${body} {{  total }}`, { total: 'Rp1' })).toMatch(/^\{\{\s+/);
});

it('names of the object prototype are no variables', () => {
  expect(unknownVariables('order_paid', '{{constructor}} {{total}} {{}}')).toEqual(['constructor', '']);
  expect(render('[{{constructor}}]x', {})).toBe('');
});

it.each(messageEvents)('the usual words of %s name variables of it only, in both languages', (event) => {
  const bodies = [defaultBodies.id[event], defaultBodies.en[event]];
  expect(bodies.flatMap((body) => unknownVariables(event, body))).toEqual([]);
  const values = Object.fromEntries(variablesOf(event).map((name) => [name, 'x']));
  expect(bodies.filter((body) => render(body, values).includes('{'))).toEqual([]);
});
