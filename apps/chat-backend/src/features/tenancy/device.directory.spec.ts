import { useRunning } from '@platform/testing';
import { startChat } from '../../chat.fixture';
import { DeviceDirectory } from './device.directory';

const chat = useRunning(startChat);

it('a device that changes while it is looked up is not remembered as it was', async () => {
  let arrive = (): void => undefined;
  const onItsWay = new Promise<void>((resolve) => (arrive = resolve));
  let answered = 0;
  let read = (): void => undefined;
  const isRead = new Promise<void>((resolve) => (read = resolve));
  /** The database, whose first answer takes long to arrive. */
  const prepared = async (_name: string, text: string, values: readonly unknown[]) => {
    const rows = await chat.database.query(text, [...values]);
    read();
    if (answered++ === 0) await onItsWay;
    return rows;
  };
  const directory = new DeviceDirectory({ prepared } as never);
  const before = directory.find('dev1');
  await isRead;
  await chat.database.query(`UPDATE devices SET bot_agent_id = 'A9' WHERE instance = 'dev1'`);
  directory.forget('S1');
  arrive();
  expect((await before)?.automated).toBe(false);
  expect((await directory.find('dev1'))?.automated).toBe(true);
});
