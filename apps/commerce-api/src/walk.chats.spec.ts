// chat-backend and bot-engine themselves, as processes beside this service: what they own is documented by their own answers.
import { join } from 'node:path';
import { registrationsOf } from '@platform/http';
import { useRecordedStory, useRunning } from '@platform/testing';
import { OWNER_ID } from './clients/store-auth.fake';
import { conversationIdOf } from './features/inbox/conversations/public';
import { hireAgent } from './walk.agents.fixture';
import { announce } from './walk.broadcasts.fixture';
import { nameOf, refuserOf, tellerOf, type Recorded, type Story } from './walk.fixture';
import { BUDI, chat, openLine } from './walk.inbox.fixture';
import { findNothing, standAlone } from './walk.nobody.fixture';
import { startOwners, STORE } from './walk.owners.fixture';
import { putRight } from './walk.tickets.fixture';

const owners = useRunning(startOwners);
beforeAll(() => owners.commerce.seed());

const shownId = (nth: number): string => `0199f7a0-0000-7000-8000-2${String(nth).padStart(11, '0')}`;
const shownChat = (nth: number): string =>
  conversationIdOf({ instance: 'dev-1', nohp: BUDI, team: '1', chatId: `${STORE}.${shownId(nth)}` });

const recorded = useRecordedStory(join(__dirname, 'chats.answers.json'), {
  own: [
    [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/, (nth, id) => (id === OWNER_ID ? id : shownId(nth))],
    [/\bWyJ[\w-]{60,}/, shownChat],
    // Whether it is still asked depends on how fast the others found it away
    [/did not answer|has not answered lately/, () => 'did not answer'],
    [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/, () => '2026-03-01T08:00:00.000Z'],
  ],
  shown: ['code'],
});

it('every route of chats, tickets, broadcasts and agents answers as the documentation shows it, and without their owners too', async () => {
  const { commerce } = owners;
  const registrations = registrationsOf(commerce.app);
  const record: Recorded = (registration, request, status, response) =>
    recorded(nameOf(registration, status, response), { request, status, response });
  const story: Story = {
    commerce,
    ask: tellerOf(commerce, registrations, () => undefined),
    tell: tellerOf(commerce, registrations, record),
    refuse: refuserOf(commerce, registrations, record),
  };
  const line = await openLine(story, owners);
  const budi = await story.ask('POST /api/contact', { name: 'Budi Santoso', phone: BUDI });
  await story.ask('POST /api/contact', { name: 'Ani Wijaya', phone: '6281299887766' });
  await chat(story, line, owners);
  await putRight(story, budi.id);
  await announce(story, line);
  await hireAgent(story, owners);
  await findNothing(story, line);
  await standAlone(story, line, owners);
});
