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

it('the largest form of every service fits many times', () => expect(UPLOAD_ROOM_BYTES).toBeGreaterThan(10 * 210e6));
