const LENGTH = 3;
const INTRO = 4;
/** `ED`, 0, 1 and a 3-byte length precede routing bytes that an earlier login gave the client. */
const ROUTING = 7;

/** Splits the byte stream of one connection into frames of 3-byte big-endian length and payload, however they are chunked. */
export class FrameReader {
  private pending = Buffer.alloc(0);
  /** `57 41 06 03`; the handshake hash starts with it. */
  intro: Buffer | undefined;

  push(chunk: Buffer): Buffer[] {
    this.pending = Buffer.concat([this.pending, chunk]);
    if (!this.intro && !this.takeIntro()) return [];
    const frames: Buffer[] = [];
    while (this.pending.length >= LENGTH) {
      const length = this.pending.readUIntBE(0, LENGTH);
      if (this.pending.length < LENGTH + length) break;
      frames.push(this.pending.subarray(LENGTH, LENGTH + length));
      this.pending = this.pending.subarray(LENGTH + length);
    }
    return frames;
  }

  private takeIntro(): boolean {
    const routed = this.pending.toString('latin1', 0, 2) === 'ED';
    if (routed && this.pending.length < ROUTING) return false;
    const start = routed ? ROUTING + this.pending.readUIntBE(ROUTING - LENGTH, LENGTH) : 0;
    if (this.pending.length < start + INTRO) return false;
    this.intro = this.pending.subarray(start, start + INTRO);
    this.pending = this.pending.subarray(start + INTRO);
    return true;
  }
}

export const frame = (payload: Uint8Array): Buffer => {
  const length = Buffer.alloc(LENGTH);
  length.writeUIntBE(payload.byteLength, 0, LENGTH);
  return Buffer.concat([length, payload]);
};
