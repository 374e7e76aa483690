import { createHash } from 'node:crypto';
import { LeaseShare } from './lease-share';

const BEAT = 10_000;
const share = () => {
  const shares = new LeaseShare(BEAT);
  let now = 0;
  /** One heartbeat later. */
  return (part: number, held: readonly string[], free: readonly string[] = []) =>
    shares.decide({ now: (now += BEAT), devices: 2 * part, processes: 2, held, free });
};
const devices = (count: number) => Array.from({ length: count }, (_, n) => `dev${n}`);

it('a process takes what nobody serves, as far as its share goes', () => {
  expect(share()(3, ['a'], ['b', 'c', 'd', 'e'])).toEqual({ take: ['b', 'c'] });
});

it('one that has more than its share gives up one, and the next when somebody has taken that', () => {
  const beats = share();
  expect(beats(2, devices(4))).toEqual({ take: [], giveUp: 'dev3' });
  expect(beats(2, devices(3), ['dev3'])).toEqual({ take: [] });
  expect(beats(2, devices(3))).toEqual({ take: [], giveUp: 'dev2' });
  expect(beats(2, devices(2))).toEqual({ take: [] });
});

it('what nobody takes for some heartbeats is taken by anybody, and is not given up again', () => {
  const beats = share();
  expect(beats(2, devices(3)).giveUp).toBe('dev2');
  const seen = [1, 2, 3, 4].map(() => beats(2, devices(2), ['dev2']).take);
  expect(seen).toEqual([[], [], [], ['dev2']]);
  for (let n = 0; n < 300; n++) expect(beats(2, devices(3))).toEqual({ take: [] });
});

it('a device that nobody manages to serve keeps no others from being shared', () => {
  const beats = share();
  const seen = [1, 2, 3, 4].map(() => beats(2, devices(4), ['broken']));
  expect(seen).toEqual([{ take: [] }, { take: [] }, { take: [] }, { take: ['broken'], giveUp: 'dev3' }]);
});

it('a process that is alone takes everything, also what was not counted yet, and gives nothing up', () => {
  const alone = new LeaseShare(BEAT);
  const attendance = { now: 0, devices: 1, processes: 1, held: ['a', 'b'] };
  expect(alone.decide({ ...attendance, free: ['c', 'd'] })).toEqual({ take: ['c', 'd'] });
  expect(alone.decide({ ...attendance, free: [] })).toEqual({ take: [] });
});

it('three processes, of which one comes and one goes, end with a share each; few devices move, and none is left', () => {
  const all = devices(30);
  const owners = new Map<string, string>();
  const processes = new Map<string, LeaseShare>();
  let now = 0;
  let moves = 0;
  const heldBy = (name: string) => all.filter((id) => owners.get(id) === name);
  const beat = (name: string, shares: LeaseShare) => {
    const order = (id: string) => createHash('md5').update(`${id}${name}`).digest('hex');
    const free = all.filter((id) => !owners.has(id)).sort((one, other) => order(one).localeCompare(order(other)));
    const attendance = { now, devices: all.length, processes: processes.size, held: heldBy(name), free };
    const { take, giveUp } = shares.decide(attendance);
    for (const id of take) owners.set(id, name);
    moves += take.length;
    if (giveUp !== undefined) owners.delete(giveUp);
  };
  const pass = (beats: number) => {
    for (let n = 0; n < beats; n++, now += BEAT) for (const [name, shares] of processes) beat(name, shares);
    return [[...processes.keys()].map((name) => heldBy(name).length), moves];
  };
  const come = (name: string) => processes.set(name, new LeaseShare(BEAT));
  come('a');
  expect(pass(1)).toEqual([[30], 30]);
  come('b');
  expect(pass(40)).toEqual([[15, 15], 45]);
  come('c');
  expect(pass(40)).toEqual([[10, 10, 10], 55]);
  processes.delete('a');
  for (const id of heldBy('a')) owners.delete(id);
  expect(pass(2)).toEqual([[15, 15], 65]);
  expect(pass(400)).toEqual([[15, 15], 65]);
});
