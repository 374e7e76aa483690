import { uuidv7 } from '@platform/runtime';
import type { BotQuestion } from './bot.client';
import { botContract } from './bot.contract';
import { FakeBot } from './bot.fake';
import { gatewayContract } from './gateway.contract';
import { FakeGateway } from './gateway.fake';

const question: BotQuestion = {
  ...{ idUser: '6281234567890', idAgent: 'A1', idStore: 'S1', instanceID: 'dev1', team: '3' },
  ...{ message: 'halo', idMessage: uuidv7(), chatId: 'c1', episode: 1, escalate: '', timestamp: 1_795_157_100, seq: 1 },
};

describe('the fake', () => {
  const gateway = new FakeGateway();
  gateway.known.push({ instance: 'dev1', status: 'connected' });
  gatewayContract(() => ({ client: gateway, instance: 'dev1', number: '6281234567890' }));
  botContract(() => ({ client: new FakeBot(), question }));
});
