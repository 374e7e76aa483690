import { startLifecycle, type Lifecycle, type Ref } from '../lifecycle/lifecycle.fixture';

let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle({ environment: { STICKY_HOURS: '24', SENDS: 'held' } });
  await chat.database.query(`
    INSERT INTO users (store_id, user_id, nama, aktif) VALUES ('S1', 'u-gone', 'Gone', false);
    INSERT INTO team_members (store_id, team_id, user_id) VALUES ('S1', '3', 'u-rina'), ('S1', '3', 'u-gone'), ('S1', '4', 'u-siti');
    UPDATE devices SET bot_agent_id = 'A1' WHERE instance = 'dev1'`);
});
afterAll(() => chat.stop());

/** A chat that somebody ended so many hours ago. */
const endedChat = async (assignee: string | null, hoursAgo: number | null): Promise<Ref> => {
  const finishedAt = hoursAgo === null ? null : new Date(Date.now() - hoursAgo * 3_600_000);
  return chat.newChat({ status: 'finish', assignee_id: assignee, finished_at: finishedAt });
};

const back = async ({ nohp }: Ref) => {
  const { body } = await chat.inbound({ number: `${nohp}@s.whatsapp.net` });
  const { status, user_id, episode } = (body as { data: { chat_list: Record<string, unknown> } }).data.chat_list;
  return { status, user_id, episode };
};

describe('STICKY_HOURS', () => {
  it('gives a customer who comes back in time to the agent of before, and tells the history once', async () => {
    const ref = await endedChat('u-rina', 23);
    expect(await back(ref)).toEqual({ status: 'handle', user_id: 'u-rina', episode: 2 });
    expect(await back(ref)).toEqual({ status: 'handle', user_id: 'u-rina', episode: 2 });
    expect(await chat.events(ref)).toEqual(['reopen']);
  });

  it.each<[string, string | null, number | null]>([
    ['comes back later', 'u-rina', 25],
    ['had an agent who is no longer active', 'u-gone', 1],
    ['had an agent who is not in the team', 'u-siti', 1],
    ['had no agent', null, 1],
    ['has a chat of which nobody knows when it ended', 'u-rina', null],
  ])('leaves one open who %s', async (_, assignee, hoursAgo) => {
    const ref = await endedChat(assignee, hoursAgo);
    expect(await back(ref)).toEqual({ status: 'open', user_id: null, episode: 2 });
    expect(await chat.events(ref)).toEqual(['reopen']);
  });

  it('asks no bot about a chat that is with its agent again', async () => {
    // While sends are held, what is to be automated waits and can be counted
    const queued = async ({ chatId }: Ref) => {
      const jobs = await chat.database.query(
        `SELECT 1 FROM chat_backend_jobs._private_jobs WHERE payload->>'conversationId' = $1`,
        [chatId.replace('S1.', '')],
      );
      return jobs.length;
    };
    const [sticky, open] = [await endedChat('u-rina', 1), await endedChat(null, 1)];
    const before = [await queued(sticky), await queued(open)];
    await back(sticky);
    await back(open);
    expect([before, [await queued(sticky), await queued(open)]]).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });
});
