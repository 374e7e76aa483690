import { createPublicKey, randomBytes, type KeyObject } from 'node:crypto';
import { isUuid, type Clock } from '@platform/runtime';
import { isUsableKey } from '../applications/public';
import { bearerHash, bearerOf, handshakeDigest } from './bearer';
import type { HandshakeHeaders } from './handshake.dto';
import { refusals } from './handshake.refusals';
import type { HandshakeRepository } from './handshake.repository';
import { decodeSignature, isSignedBy, nobodysKey, signedString } from './signature';
import { timestampOf } from './signed-timestamp';

export interface HandshakeRules {
  readonly bearerSecret: string;
  readonly tokenTtlSeconds: number;
  readonly windowMs: number;
  /** How long a repeated handshake gets the same bearer again. */
  readonly replayGraceMs: number;
  readonly signedStringTemplate: string;
}

export interface MintedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

interface Handshake {
  readonly clientKey: string;
  readonly timestamp: string;
  readonly signedAt: number;
  readonly signature: Buffer | undefined;
}

interface Signer {
  readonly fingerprint: string;
  readonly key: KeyObject;
}

const required = (headers: HandshakeHeaders, name: keyof HandshakeHeaders): string => {
  const value = headers[name];
  if (value === undefined || value.trim() === '') throw refusals.headerMissing(name);
  return value;
};

/**
 * The signed handshake: presence 400, timestamp 400, application 404, signature 404, replay 404, in this order (design 2.1).
 * Identical headers within the grace get the same bearer again: RSA PKCS#1 v1.5 is deterministic, so two honest calls in
 * one second of the client's clock are byte-identical (design, row 13). Later ones are a replay.
 */
export class HandshakeService {
  private readonly nobody = nobodysKey();

  constructor(
    private readonly repository: HandshakeRepository,
    private readonly rules: HandshakeRules,
    private readonly clock: Clock,
  ) {}

  async mint(headers: HandshakeHeaders): Promise<MintedToken> {
    const handshake = this.read(headers);
    const signer = await this.signerOf(handshake);
    const { clientKey, timestamp, signature, signedAt } = handshake;
    if (!signer || !signature) throw refusals.invalidSignature();
    const { windowMs, replayGraceMs, bearerSecret, tokenTtlSeconds } = this.rules;
    const now = this.clock.now();
    const applicationId = clientKey.toLowerCase();
    const { nonce, mintedAt } = await this.repository.claim({
      digest: handshakeDigest(clientKey, timestamp, signature),
      nonce: randomBytes(32),
      applicationId,
      mintedAt: now,
      rememberedUntil: new Date(signedAt + windowMs),
    });
    if (now.getTime() - mintedAt.getTime() > replayGraceMs) throw refusals.invalidSignature();
    const token = bearerOf(bearerSecret, nonce);
    const expiresAt = new Date(mintedAt.getTime() + tokenTtlSeconds * 1000);
    const keyFingerprint = signer.fingerprint;
    await this.repository.keepToken({
      hash: bearerHash(token),
      applicationId,
      keyFingerprint,
      issuedAt: mintedAt,
      expiresAt,
    });
    return { token, expiresAt };
  }

  private read(headers: HandshakeHeaders): Handshake {
    const clientKey = required(headers, 'x-client-key');
    const timestamp = required(headers, 'x-timestamp');
    const signature = decodeSignature(required(headers, 'x-signature'));
    const signedAt = timestampOf(timestamp);
    // The bounds belong to the window: the contract says "within 10 minutes"
    if (signedAt === undefined || Math.abs(this.clock.now().getTime() - signedAt) > this.rules.windowMs)
      throw refusals.invalidTimestamp();
    return { clientKey, timestamp, signedAt, signature };
  }

  /** The key in force that made the signature; undefined when none did. Throws for an application without a usable key. */
  private async signerOf({
    clientKey,
    timestamp,
    signature = Buffer.alloc(256),
  }: Handshake): Promise<Signer | undefined> {
    const found = isUuid(clientKey) ? await this.repository.application(clientKey, this.clock.now()) : undefined;
    const keys = (found?.isActive ? found.keys : [])
      .map(({ fingerprint, pem }) => ({ fingerprint, key: createPublicKey(pem) }))
      .filter(isUsableKey);
    const text = signedString(this.rules.signedStringTemplate, clientKey, timestamp);
    if (keys.length === 0) {
      isSignedBy(this.nobody, text, signature);
      throw refusals.invalidApp();
    }
    return keys.find(({ key }) => isSignedBy(key, text, signature));
  }
}
