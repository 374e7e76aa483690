import { randomUUID } from 'node:crypto';
import * as ours from './kept';
import { keptValidator } from './kept-validator';

const { kept } = ours;

describe('what a worker keeps for its spec files', () => {
  it('is made once, also for a file whose modules are loaded anew', () => {
    const key = randomUUID();
    const make = jest.fn(() => ({}));
    const first = kept(key, make);
    jest.resetModules();
    const again = jest.requireActual<typeof ours>('./kept').kept(key, make);
    expect([again === first, make.mock.calls.length]).toEqual([true, 1]);
  });

  it('is made again after a failure', () => {
    const key = randomUUID();
    const fail = () => {
      throw new Error('not now');
    };
    expect(() => kept(key, fail)).toThrow('not now');
    expect(kept(key, () => 7)).toBe(7);
  });

  it('is one validator for schemas of the same text, and another for any other', () => {
    const schema = (type: string) => ({ $ref: '#/components/schemas/A', components: { schemas: { A: { type } } } });
    const [text, same, number] = [schema('string'), schema('string'), schema('number')].map(keptValidator);
    expect([text === same, text?.('a'), text?.(7), number?.('a'), number?.(7)]).toEqual([
      ...[true, true, false, false, true],
    ]);
  });
});
