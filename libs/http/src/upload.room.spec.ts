import { Unavailable } from '@platform/errors';
import { UPLOAD_ROOM_BYTES, UploadRoom } from './upload.room';

it('forms with files are refused with when to come again once all bytes are taken, and let in when some are given back', () => {
  const room = new UploadRoom(100);
  const leave = room.take(60);
  room.take(40);
  expect(() => room.take(1)).toThrow(new Unavailable('too many files arrive at the moment', { retryAfterSeconds: 5 }));
  leave();
  room.take(60);
  expect(() => room.take(1)).toThrow(Unavailable);
});

it('one tenant leaves half of the room to the others, and all of them together a quarter to siblings', () => {
  const room = new UploadRoom(800);
  const leave = room.take(300, 'S1');
  expect(() => room.take(1, 'S1')).toThrow(Unavailable);
  room.take(150, 'S2');
  for (let n = 3; n < 20; n += 1)
    try {
      room.take(50, `S${n}`);
    } catch (refused) {
      expect(refused).toBeInstanceOf(Unavailable);
    }
  room.take(200);
  leave();
  room.take(100, 'S1');
});

it('the largest form of every service fits many times', () => expect(UPLOAD_ROOM_BYTES).toBeGreaterThan(10 * 210e6));
