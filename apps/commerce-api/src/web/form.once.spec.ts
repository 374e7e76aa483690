import { Conflict } from '@platform/errors';
import { afterRunning } from './form.once';
import { keyAgain } from './form.state';

const running = new Conflict('still running', { code: 'idempotency_running' });
const stale = new Conflict('changed', { code: 'version_conflict' });

describe('a form that is sent while it is being worked on', () => {
  it('is answered what came of it', async () => {
    const work = jest.fn().mockRejectedValueOnce(running).mockRejectedValueOnce(running).mockResolvedValue('done');
    expect([await afterRunning(work, { stepMs: 1, mostMs: 50 }), work.mock.calls.length]).toEqual(['done', 3]);
  });

  it.each([
    ['lasts longer than anybody waits', running, 6],
    ['is refused otherwise', stale, 1],
  ])('is refused when it %s', async (_, failure, times) => {
    const work = jest.fn().mockRejectedValue(failure);
    await expect(afterRunning(work, { stepMs: 1, mostMs: 5 })).rejects.toBe(failure);
    expect(work).toHaveBeenCalledTimes(times);
  });

  it('comes back under its own key then, so that it counts once all the same; any other under a new one', () => {
    const fields = { _idem: 'k-1save', action: 'save' };
    expect([keyAgain(running, fields), keyAgain(stale, fields), keyAgain(stale, fields, true)]).toEqual([
      ...[{ key: 'k-1' }, {}, { key: 'k-1' }],
    ]);
  });
});
