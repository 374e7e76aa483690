// chat-backend itself, as a process beside this suite.
import { useRunning } from '@platform/testing';
import { chatContract } from './chat.contract';
import { startRealChat } from './chat.real.fixture';

const chat = useRunning(() => startRealChat());

describe('chat-backend itself', () => {
  chatContract(() => ({
    ...{ client: chat.client, picture: chat.picture },
    newChat: (status) => chat.newChat(status),
    said: (to) => chat.said(to),
    asked: (to) => chat.asked(to),
  }));
});
