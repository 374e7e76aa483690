import { ConfigurationError, loadConfig } from './config';
import { Sends, sendsSettings } from './sends';

describe('whether sends are held (Sends)', () => {
  it('Sends always lets inside work begin, and outside work only while released', () => {
    const sends = new Sends('held');
    const allowed = () => [sends.held, sends.allows('inside'), sends.allows('outside')];
    const seen = [allowed()];
    sends.release();
    seen.push(allowed());
    sends.hold();
    seen.push(allowed());
    expect(seen).toEqual([
      [true, true, false],
      [false, true, true],
      [true, true, false],
    ]);
  });

  it('Sends notifies its watchers after changes, and only of changes', () => {
    const sends = new Sends();
    const told: boolean[] = [];
    const end = sends.watch(() => told.push(sends.held));
    sends.release();
    sends.hold();
    sends.hold();
    sends.release();
    end();
    sends.hold();
    expect(told).toEqual([true, false]);
  });
});

describe('the setting SENDS', () => {
  it('SENDS is released by default', () => expect(loadConfig(sendsSettings, {})).toEqual({ SENDS: 'released' }));

  it('SENDS accepts held', () => expect(loadConfig(sendsSettings, { SENDS: 'held' })).toEqual({ SENDS: 'held' }));

  it('SENDS refuses any other word, so that a typo releases nothing', () =>
    expect(() => loadConfig(sendsSettings, { SENDS: 'hold' })).toThrow(
      new ConfigurationError(['SENDS must be one of released, held']),
    ));
});
