import { httpClient } from '@platform/http';
import { useForEach } from '@platform/testing';
import { httpChatSyncClient } from './chat.sync';
import { chatSyncContract } from './chat.sync.contract';
import { startFakeChat } from './chat.sync.fake';

const fake = useForEach(startFakeChat);
const http = useForEach(() => httpClient('chat-backend', fake.url));
const tokens = { name: 'tokens', for: async () => 'a token' };

describe('the fake of chat-backend', () =>
  chatSyncContract(() => ({ client: httpChatSyncClient(http, tokens), nohp: '628120000001' })));
