/* Decodes what a command writes: UTF-8, or UTF-16 where its first bytes show that (as those of wsl.exe do). */

/** Fewer bytes may be records that NULs separate. */
const leastBytes = 6;
const mostBytes = 64;

type Decoder = InstanceType<typeof TextDecoder>;

export class OutputDecoder {
  private decoder: Decoder | undefined;

  /** @param isTerminal bytes come through a terminal, which adds some at the ends of lines */
  decode(bytes: Uint8Array, isTerminal: boolean): string {
    if (bytes.length === 0) return '';
    this.decoder ??= isTerminal ? utf8() : decoderOf(bytes);
    return this.decoder.decode(bytes, { stream: true });
  }

  /** Returns what is left of a character that broke off. */
  end(): string {
    return this.decoder?.decode() ?? '';
  }
}

function decoderOf(bytes: Uint8Array): Decoder {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || hasNulsAt(1, bytes)) return new TextDecoder('utf-16le');
  if ((first === 0xfe && second === 0xff) || hasNulsAt(0, bytes)) return new TextDecoder('utf-16be');
  return utf8();
}

/** Every other byte is NUL, and no byte between them. */
function hasNulsAt(place: 0 | 1, bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, mostBytes);
  return start.length >= leastBytes && start.every((byte, index) => (byte === 0) === (index % 2 === place));
}

function utf8(): Decoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
