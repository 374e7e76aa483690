import { useForEach } from '@platform/testing';
import { standingClock, type MailboxStorage, type OpenedForTest } from './mailbox.fixture';
import { keeping, lasting, leftOver } from './mailbox.keeping.contract';
import { claims, leases, lostLeases, order } from './mailbox.leases.contract';
import { arrivals, lines, offers } from './mailbox.offers.contract';
import type { Suite } from './mailbox.scene.fixture';
import type { Mailbox } from './mailbox.types';

/** Design 3.1, M1 to M12: how every mailbox behaves, wherever it keeps its lines. */
export const mailboxContract = (storage: MailboxStorage): void => {
  const clock = standingClock();
  const more: OpenedForTest[] = [];
  const opened = useForEach(() => storage.open({ clock }));
  const brief = async (leaseMs: number): Promise<Mailbox> => {
    if (storage.processes === 1) await opened.stop();
    const one = await storage.open({ leaseMs, clock });
    more.push(one);
    return one.mailbox;
  };
  afterEach(async () => {
    for (const one of more.splice(0)) await one.stop();
  });
  const suite: Suite = { storage, opened, clock, brief };
  const parts = {
    offers,
    arrivals,
    lines,
    leases,
    'lost leases': lostLeases,
    claims,
    order,
    keeping,
    lasting,
    'left over': leftOver,
  };
  for (const [title, part] of Object.entries(parts)) describe(title, () => part(suite));
};
