import { environment } from '@platform/runtime';
import { conversationKey } from './conversation.key';
import { mailboxContract } from './mailbox.contract';
import { mailboxProperty } from './mailbox.property.contract';
import { inProcess, onRedis } from './mailbox.fixture';

describe('the mailbox in process', () => mailboxContract(inProcess()));
describe('the mailbox in process, with many turns', () => mailboxProperty(inProcess()));

const { REDIS_URL } = environment;
if (REDIS_URL) {
  describe('the mailbox on Redis', () => mailboxContract(onRedis(REDIS_URL)));
  describe('the mailbox on Redis, with many turns of two processes', () => mailboxProperty(onRedis(REDIS_URL)));
} else process.stderr.write('REDIS_URL is not set: the mailbox was tested in process only.\n');

it('the key of a conversation is the digest that the design gives', () =>
  expect(conversationKey('7', '3', '6281234567890')).toBe('fe1f000490e917e3dc8ce0e39724efe0'));
