import { NotFound } from '@platform/errors';
import type { BotWelcomes } from './bot.welcomes';

/** What this service relies on at bot-engine about welcome texts; `agentId` is one of the store. Runs on the fake and on the engine itself. */
export const botWelcomesContract = (
  subjectOf: () => Promise<{ readonly client: BotWelcomes; readonly storeId: string; readonly agentId: string }>,
): void => {
  it('the bot writes a welcome text of an agent, and tells what it has cost', async () => {
    const { client, storeId, agentId } = await subjectOf();
    expect(await client.write(storeId, { agent_id: agentId, tone: 'ramah' })).toEqual({
      welcome_message: expect.stringMatching(/\S/),
      cost_request: expect.stringMatching(/^\$\d+\.\d{6}$/),
    });
  });

  it('the bot knows no agent of another name', async () => {
    const { client, storeId } = await subjectOf();
    await expect(client.write(storeId, { agent_id: 'nobody' })).rejects.toBeInstanceOf(NotFound);
  });
};
