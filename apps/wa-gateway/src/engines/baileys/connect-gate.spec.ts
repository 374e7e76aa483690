import { ConnectGate } from './connect-gate';

it('lets so many in and no more, in the order they came; leaving twice counts once', async () => {
  const gate = new ConnectGate(2);
  const inside: number[] = [];
  const leavers: (() => void)[] = [];
  const visits = Array.from({ length: 5 }, async (_, n) => {
    leavers[n] = await gate.enter();
    inside.push(n);
  });
  await Promise.all(visits.slice(0, 2));
  expect(inside).toEqual([0, 1]);
  leavers[0]?.();
  leavers[0]?.();
  await visits[2];
  expect(inside).toEqual([0, 1, 2]);
  leavers[1]?.();
  leavers[2]?.();
  await Promise.all(visits);
  expect(inside).toEqual([0, 1, 2, 3, 4]);
});
