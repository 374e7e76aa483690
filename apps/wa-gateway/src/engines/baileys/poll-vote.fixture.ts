import { createCipheriv, createHmac, randomBytes } from 'node:crypto';

/** A vote as a phone encrypts it: HMAC-SHA256 twice to the key, AES-256-GCM over one PollVoteMessage with one option. */
export const voteOn = (of: { pollId: string; secret: Buffer; creator: string; voter: string; option: Buffer }) => {
  const { pollId, secret, creator, voter, option } = of;
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
  const info = Buffer.concat([Buffer.from(pollId + creator + voter + 'Poll Vote'), Buffer.from([1])]);
  const key = createHmac('sha256', extracted).update(info).digest();
  const encIv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, encIv).setAAD(Buffer.from(`${pollId}\0${voter}`));
  const plain = Buffer.concat([Buffer.from([0x0a, option.length]), option]);
  const encPayload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { encPayload, encIv };
};
