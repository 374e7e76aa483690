import { fixedClock, silentLogger } from '@platform/runtime';
import { capabilityNames, type Capabilities, type WaEngine } from '../../engines/engine.types';
import { ProfilePictures } from './profile-pictures';

const BUDI = '628123456789@s.whatsapp.net';
const all = Object.fromEntries(capabilityNames.map((name) => [name, true])) as Capabilities;
const engineOf = (profilePicture: WaEngine['profilePicture'], capabilities = all) =>
  ({ capabilities, profilePicture }) as WaEngine;
const answered = () => new Promise(setImmediate);

const opened = () => {
  const clock = fixedClock(new Date('2026-11-20T12:00:00Z'));
  return { clock, pictures: new ProfilePictures(clock, silentLogger) };
};

describe('profile pictures', () => {
  it('are included from the second message on, and fetched once a day', async () => {
    const { clock, pictures } = opened();
    const ask = jest.fn(async () => 'https://pps.example/budi.jpg');
    const now = () => pictures.now('dev1', engineOf(ask), BUDI);
    expect([now(), now()]).toEqual([undefined, undefined]);
    await answered();
    expect(now()).toBe('https://pps.example/budi.jpg');
    expect(ask).toHaveBeenCalledTimes(1);
    clock.advance(86_400_000);
    expect(now()).toBe('https://pps.example/budi.jpg');
    await answered();
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('that are hidden are not fetched again and again', async () => {
    const { pictures } = opened();
    const ask = jest.fn(async () => undefined);
    for (let n = 0; n < 3; n++) {
      expect(pictures.now('dev1', engineOf(ask), BUDI)).toBeUndefined();
      await answered();
    }
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('are fetched four at a time; the rest follow with the next message', async () => {
    const { pictures } = opened();
    const ask = jest.fn(async (of: string) => `https://pps.example/${of}.jpg`);
    const people = ['a', 'b', 'c', 'd', 'e', 'f'];
    const now = () => people.map((person) => pictures.now('dev1', engineOf(ask), person));
    now();
    expect(ask).toHaveBeenCalledTimes(4);
    await answered();
    expect(now().filter(Boolean)).toHaveLength(4);
    await answered();
    expect(now()).toEqual(people.map((person) => `https://pps.example/${person}.jpg`));
    expect(ask).toHaveBeenCalledTimes(6);
  });

  it('that could not be fetched are fetched again, and nothing fails', async () => {
    const { pictures } = opened();
    const broken = jest.fn(async () => Promise.reject(new Error('no line')));
    for (let n = 0; n < 2; n++) {
      expect(pictures.now('dev1', engineOf(broken), BUDI)).toBeUndefined();
      await answered();
    }
    expect(broken).toHaveBeenCalledTimes(2);
    const unable = engineOf(broken, { ...all, profile_pic: { reason: 'the Cloud API has none' } });
    expect(pictures.now('dev1', unable, BUDI)).toBeUndefined();
    expect(broken).toHaveBeenCalledTimes(2);
  });
});
