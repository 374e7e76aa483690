import type { Clock } from '@platform/runtime';
import {
  progressOf,
  tellProgress,
  type BroadcastProgress,
  type BroadcastRow,
  type Timetable,
} from '../campaigns/public';
import type { DevicesService } from '../devices/public';
import type { Announcer } from '../realtime/public';

/** The progress of broadcasts, for callers and sockets. */
export class BroadcastNews {
  constructor(
    private readonly devices: Pick<DevicesService, 'resolve'>,
    private readonly timetable: Timetable,
    private readonly announcer: Pick<Announcer, 'tell'>,
    private readonly clock: Clock,
  ) {}

  async of(row: BroadcastRow): Promise<BroadcastProgress> {
    const now = this.clock.now();
    if (row.state !== 'running') return progressOf(row, now, undefined);
    const { engine } = await this.devices.resolve(row.instanceId);
    return progressOf(row, now, await this.timetable.nextOf(row, engine));
  }

  /** Sockets hear it too. */
  async tell(row: BroadcastRow): Promise<BroadcastProgress> {
    const progress = await this.of(row);
    tellProgress(this.announcer, row, progress);
    return progress;
  }
}
